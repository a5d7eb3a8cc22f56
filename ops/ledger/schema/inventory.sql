-- Every object of the schemas, as `inventory.py` compares them. `alike`: the name in the list.
WITH ours AS (
    SELECT oid, nspname, nspowner, nspacl FROM pg_namespace WHERE nspname = ANY (%(schemas)s)
), declared AS (
    SELECT 'projections' AS nspname, unnest(tables || live) AS relname FROM projections.declared
    UNION SELECT 'beside', unnest(tables || grown) FROM projections.declared
    UNION SELECT 'analysis', unnest(live_views) FROM projections.declared
), relations AS (
    SELECT c.*, n.nspname || '.' || c.relname AS name, d.relname IS NOT NULL AS made,
           n.nspname || '.' || CASE WHEN d.relname IS NULL THEN c.relname ELSE '*' END AS alike
      FROM pg_class c JOIN ours n ON n.oid = relnamespace
      LEFT JOIN declared d USING (nspname, relname) WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
), functions AS (
    SELECT p.*, p.oid::regprocedure::text AS name FROM pg_proc p JOIN ours n ON n.oid = pronamespace
), things (thing, alike, acl, owner) AS (
    SELECT nspname, nspname, coalesce(nspacl, acldefault('n', nspowner)), nspowner FROM ours
    UNION ALL
    SELECT name, alike, coalesce(relacl, acldefault('r', relowner)), relowner FROM relations
    UNION ALL
    SELECT name, name, coalesce(proacl, acldefault('f', proowner)), proowner FROM functions
    UNION ALL
    SELECT name || '.' || attname, alike || '.' || attname, attacl, relowner
      FROM relations r JOIN pg_attribute ON attrelid = r.oid WHERE attacl IS NOT NULL
    UNION ALL
    SELECT t, t, defaclacl, defaclrole
      FROM pg_default_acl JOIN ours n ON n.oid = defaclnamespace, concat('new things in ', nspname) t
)
SELECT 'schema' AS kind, nspname AS name, nspname AS alike, nspname AS about, '' AS definition FROM ours
UNION ALL
SELECT CASE relkind WHEN 'r' THEN 'table' WHEN 'v' THEN 'view' ELSE 'relation' END, name, alike, name,
       concat_ws(' ', relkind, relpersistence, reloptions, relrowsecurity,
                 -- Since PostgreSQL 16 a column has its table's name only where it needs one.
                 CASE relkind WHEN 'v' THEN regexp_replace(
                     pg_get_viewdef(oid), '\m(?!ledger|projections)[a-z_]+\.', '', 'g') END)
  FROM relations WHERE NOT made
UNION ALL
SELECT 'column', name || '.' || attname, alike || '.' || attname, name,
       concat_ws(' ', attnum, format_type(atttypid, atttypmod),
                 CASE WHEN attnotnull THEN 'NOT NULL' END,
                 'DEFAULT ' || pg_get_expr(adbin, adrelid), nullif(attidentity, ''))
  FROM relations r JOIN pg_attribute ON attrelid = r.oid AND attnum > 0 AND NOT attisdropped
  LEFT JOIN pg_attrdef d ON d.adrelid = r.oid AND d.adnum = attnum
 WHERE NOT made AND relkind <> 'v'
UNION ALL
SELECT 'constraint', name || '.' || conname, name || '.' || conname, name, pg_get_constraintdef(c.oid)
  FROM relations r JOIN pg_constraint c ON conrelid = r.oid
 WHERE NOT made AND contype <> 'n'  -- since PostgreSQL 18; the column has it, too
UNION ALL
SELECT 'index', i.oid::regclass::text, i.oid::regclass::text, name,
       pg_get_indexdef(i.oid) || CASE WHEN indisvalid THEN '' ELSE ' INVALID' END
  FROM relations r JOIN pg_index x ON indrelid = r.oid JOIN pg_class i ON i.oid = indexrelid
 WHERE NOT made
UNION ALL
SELECT 'trigger', name || '.' || tgname, alike || '.' || tgname, name,
       pg_get_triggerdef(t.oid) || ' ' || tgenabled::text
  FROM relations r JOIN pg_trigger t ON tgrelid = r.oid AND NOT tgisinternal
UNION ALL
SELECT 'rule', name || '.' || rulename, alike || '.' || rulename, name,
       pg_get_ruledef(w.oid) || ' ' || ev_enabled::text
  FROM relations r JOIN pg_rewrite w ON ev_class = r.oid AND rulename <> '_RETURN'
UNION ALL
SELECT 'policy', name || '.' || polname, alike || '.' || polname, name, polcmd::text
  FROM relations r JOIN pg_policy ON polrelid = r.oid
UNION ALL
SELECT 'function', name, name, name,
       concat_ws(' ', prokind, lanname, provolatile, proparallel, proisstrict, prosecdef, proconfig,
                 pg_get_function_result(f.oid), pg_get_function_arguments(f.oid),
                 coalesce(pg_get_function_sqlbody(f.oid), prosrc))
  FROM functions f JOIN pg_language l ON l.oid = prolang
UNION ALL
SELECT 'owner of', thing, alike, thing, pg_get_userbyid(owner) FROM things
UNION ALL
SELECT 'right', concat_ws(' ', privilege_type, 'on', thing, 'of', whose),
       concat_ws(' ', privilege_type, 'on', alike, 'of', whose), thing,
       CASE WHEN is_grantable THEN 'grantable' ELSE '' END
  FROM things, aclexplode(acl),
       LATERAL (SELECT CASE grantee WHEN 0 THEN 'everybody' ELSE pg_get_userbyid(grantee) END) _ (whose)
 WHERE grantee <> owner
UNION ALL
SELECT 'power', concat_ws(' ', what, 'of', rolname), concat_ws(' ', what, 'of', rolname), rolname, ''
  FROM pg_roles, LATERAL (VALUES
           ('SUPERUSER', rolsuper), ('CREATEROLE', rolcreaterole), ('CREATEDB', rolcreatedb),
           ('LOGIN', rolcanlogin), ('REPLICATION', rolreplication), ('BYPASSRLS', rolbypassrls)
       ) AS flags (what, is_set)
 WHERE rolname = ANY (%(roles)s) AND is_set
UNION ALL
SELECT 'power', t, t, m, ''
  FROM pg_auth_members, pg_get_userbyid(member) m,
       concat_ws(' ', 'membership in', pg_get_userbyid(roleid), 'of', m) t
 WHERE m = ANY (%(roles)s)
