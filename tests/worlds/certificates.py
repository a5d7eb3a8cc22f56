"""Certificates for servers of tests, each by an authority of its own."""

import ipaddress
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.x509.oid import NameOID

YEAR = timedelta(days=365)


class Authority:
    """Issues certificates; `file` is its own, which a terminal trusts or not."""

    def __init__(self, directory: Path, name: str = "authority") -> None:
        self._directory = directory
        self._key = Ed25519PrivateKey.generate()
        self._name = _name(name)
        self.file = self._write(f"{name}.pem", self._certificate(self._name, self._key, ca=True))

    def issue(self, *names: str, expired: bool = False) -> tuple[str, ...]:
        """The options with which `sabot serve` uses a new certificate for these names."""
        key = Ed25519PrivateKey.generate()
        ends = timedelta(days=-1) if expired else YEAR
        certificate = self._certificate(_name(names[0]), key, names=names, ends=ends)
        file = self._write(f"{names[0]}.pem", certificate)
        private = self._directory / f"{names[0]}.key"
        private.write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            )
        )
        return ("--tls-cert", str(file), "--tls-key", str(private))

    def _certificate(
        self,
        subject: x509.Name,
        key: Ed25519PrivateKey,
        *,
        names: tuple[str, ...] = (),
        ends: timedelta = YEAR,
        ca: bool = False,
    ) -> x509.Certificate:
        now = datetime.now(UTC)
        public = self._key.public_key()
        builder = (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self._name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - YEAR)
            .not_valid_after(now + ends)
            .add_extension(x509.BasicConstraints(ca=ca, path_length=None), critical=True)
            .add_extension(
                x509.AuthorityKeyIdentifier.from_issuer_public_key(public), critical=False
            )
            .add_extension(
                x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False
            )
        )
        if ca:
            usage = x509.KeyUsage(
                *(False, False, False, False, False, True, True, False, False)
            )  # signs certificates and lists of revoked ones
            builder = builder.add_extension(usage, critical=True)
        if names:
            own = x509.SubjectAlternativeName([_alternative(each) for each in names])
            builder = builder.add_extension(own, critical=False)
        return builder.sign(self._key, None)

    def _write(self, name: str, certificate: x509.Certificate) -> Path:
        file = self._directory / name
        file.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
        return file


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _alternative(name: str) -> x509.GeneralName:
    with suppress(ValueError):
        return x509.IPAddress(ipaddress.ip_address(name))
    return x509.DNSName(name)
