"""Go's own checker of its module log (golang.org/x/mod) verifies our notes, tiles and proofs.

It needs Go and the package as Debian has them: golang-go, golang-golang-x-mod-dev.
"""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from ops.proof.checkpoint import Checkpoint
from ops.proof.note import Signer, Verifier, sign
from ops.proof.note import b64 as encoded
from ops.proof.tiles import write_log
from ops.proof.tree import consistency, inclusion
from tests.ops.proof.trees import Grown, entries

PLACE = Path("/usr/share/gocode")
needs_go = pytest.mark.skipif(
    not (shutil.which("go") and (PLACE / "src/golang.org/x/mod/sumdb/tlog").is_dir()),
    reason="no Go with golang.org/x/mod here",
)
ORIGIN = "casino.example/pit"
SIZE, OLD, INDEX = 70_000, 300, 66_000


def signer(seed):
    key = Ed25519PrivateKey.from_private_bytes(bytes([seed]) * 32)
    return Signer(Verifier.ed25519(ORIGIN, key.public_key().public_bytes_raw()), key.sign)


PROGRAM = """
package main

import (
    "encoding/base64"
    "encoding/json"
    "fmt"
    "os"
    "path/filepath"
    "strconv"
    "strings"

    "golang.org/x/mod/sumdb/note"
    "golang.org/x/mod/sumdb/tlog"
)

type asked struct {
    Key, Note, Old, Directory string
    Size, OldSize, Index      int64
    Inclusion, Consistency    []string
    Entry                     []byte
}

func check(err error) {
    if err != nil {
        fmt.Println(err)
        os.Exit(1)
    }
}

func hashes(texts []string) (all []tlog.Hash) {
    for _, text := range texts {
        hash, err := tlog.ParseHash(text)
        check(err)
        all = append(all, hash)
    }
    return
}

// The root in a checkpoint of this size, signed by the key.
func root(text, key string, size int64) tlog.Hash {
    verifier, err := note.NewVerifier(key)
    check(err)
    opened, err := note.Open([]byte(text), note.VerifierList(verifier))
    check(err)
    lines := strings.Split(opened.Text, "\\n")
    if lines[1] != strconv.FormatInt(size, 10) {
        check(fmt.Errorf("the size is %s", lines[1]))
    }
    content, err := base64.StdEncoding.DecodeString(lines[2])
    check(err)
    var hash tlog.Hash
    copy(hash[:], content)
    return hash
}

type directory string

func (directory) Height() int                        { return 8 }
func (directory) SaveTiles([]tlog.Tile, [][]byte)    {}
func (d directory) ReadTiles(tiles []tlog.Tile) (all [][]byte, err error) {
    for _, tile := range tiles {
        path := strings.Replace(tile.Path(), "tile/8/", "tile/", 1)
        content, err := os.ReadFile(filepath.Join(string(d), path))
        if err != nil {
            return nil, err
        }
        all = append(all, content)
    }
    return
}

func main() {
    var a asked
    check(json.NewDecoder(os.Stdin).Decode(&a))
    head, old := root(a.Note, a.Key, a.Size), root(a.Old, a.Key, a.OldSize)
    leaf := tlog.RecordHash(a.Entry)
    check(tlog.CheckRecord(tlog.RecordProof(hashes(a.Inclusion)), a.Size, head, a.Index, leaf))
    check(tlog.CheckTree(tlog.TreeProof(hashes(a.Consistency)), a.Size, head, a.OldSize, old))

    reader := tlog.TileHashReader(tlog.Tree{N: a.Size, Hash: head}, directory(a.Directory))
    again, err := tlog.TreeHash(a.Size, reader)
    check(err)
    if again != head {
        check(fmt.Errorf("the tiles have another root"))
    }
    proof, err := tlog.ProveRecord(a.Size, a.Index, reader)
    check(err)
    check(tlog.CheckRecord(proof, a.Size, head, a.Index, leaf))
    fmt.Println("good")
}
"""


@pytest.fixture(scope="module")
def checker(tmp_path_factory):
    """The Go program, compiled once."""
    place = tmp_path_factory.mktemp("go")
    (place / "main.go").write_text(PROGRAM)
    environment = os.environ | {
        "GO111MODULE": "off",
        "GOPATH": str(PLACE),
        "GOFLAGS": "",
        "CGO_ENABLED": "0",
        "GOCACHE": str(place / "cache"),
    }
    subprocess.run(
        ["go", "build", "-o", "check", "main.go"], cwd=place, env=environment, check=True
    )
    return place / "check"


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    """A log as static tiles, and what is asked about it."""
    place, tree = tmp_path_factory.mktemp("log"), Grown(entries(SIZE))
    roots = {size: Checkpoint(ORIGIN, size, tree.root(size)) for size in (OLD, SIZE)}
    notes = {size: sign(each.text, signer(1), signer(2)) for size, each in roots.items()}
    write_log(place, lambda n: entries(SIZE)[n:], SIZE, roots[SIZE].root, notes[SIZE].encode())
    return {
        "Key": signer(1).verifier.vkey,
        "Note": notes[SIZE],
        "Old": notes[OLD],
        "Directory": str(place),
        "Size": SIZE,
        "OldSize": OLD,
        "Index": INDEX,
        "Inclusion": [*map(encoded, inclusion(INDEX, SIZE, tree))],
        "Consistency": [*map(encoded, consistency(OLD, SIZE, tree))],
        "Entry": encoded(entries(SIZE)[INDEX]),
    }


def answer(checker, asked):
    run = subprocess.run(
        [checker], input=json.dumps(asked), capture_output=True, text=True, check=False
    )
    return run.returncode, run.stdout.strip()


@needs_go
def test_go_verifies_notes_proofs_and_tiles(checker, exported):
    assert (0, "good") == answer(checker, exported)


@needs_go
@pytest.mark.parametrize(
    "wrong",
    [
        {"Index": INDEX + 1},
        {"Entry": encoded(b"another event")},
        {"OldSize": OLD + 1},
        {"Consistency": []},
        {"Inclusion": []},
        {"Key": signer(3).verifier.vkey},
        {"Directory": "/nowhere"},
    ],
    ids=str,
)
def test_go_refuses_what_is_wrong(checker, exported, wrong):
    status, _ = answer(checker, exported | wrong)

    assert 1 == status
