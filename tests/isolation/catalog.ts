/** The definition of every table from the catalog, and everything in it that breaks a tenancy rule. */
import type pg from 'pg'
import {
  engineSchemas,
  globalTables,
  indexesAcrossCenters,
  ourRoles,
  ownersFunctions,
  partedTables,
  partsOpenToTheirOwner,
  staysAfterLeaving,
  tenantTables,
} from './tables.ts'

interface Policy {
  readonly name: string
  readonly command: string
  readonly roles: string[]
  readonly permissive: boolean
  readonly using: string | null
  readonly check: string | null
}

interface Table {
  readonly name: string
  /** The partitioned table that this partition belongs to. */
  readonly part_of: string | null
  readonly owner: string
  readonly enabled: boolean
  readonly forced: boolean
  readonly center_not_null: boolean | null
  readonly center_default: string | null
  readonly primary_key: string[] | null
  readonly indexes: { readonly name: string; readonly first: string }[]
  readonly policies: Policy[]
}

const tablesOfTheFixture = `
  select n.nspname || '.' || c.relname as name, pg_get_userbyid(c.relowner)::text as owner,
    (select i.inhparent::regclass::text from pg_inherits i where i.inhrelid = c.oid) as part_of,
    c.relrowsecurity as enabled, c.relforcerowsecurity as forced,
    (select a.attnotnull from pg_attribute a where a.attrelid = c.oid and a.attname = 'center_id') as center_not_null,
    (select pg_get_expr(d.adbin, d.adrelid) from pg_attribute a join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where a.attrelid = c.oid and a.attname = 'center_id') as center_default,
    (select array_agg(a.attname::text order by k.position) from pg_index i
      cross join lateral unnest(i.indkey) with ordinality k (attnum, position)
      join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
      where i.indrelid = c.oid and i.indisprimary) as primary_key,
    coalesce((select json_agg(json_build_object('name', n.nspname || '.' || x.relname, 'first', a.attname)) from pg_index i
      join pg_class x on x.oid = i.indexrelid
      left join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
      where i.indrelid = c.oid), '[]') as indexes,
    coalesce((select json_agg(json_build_object('name', p.policyname, 'command', p.cmd, 'roles', p.roles,
        'permissive', p.permissive = 'PERMISSIVE', 'using', p.qual, 'check', p.with_check) order by p.policyname)
      from pg_policies p where p.schemaname = n.nspname and p.tablename = c.relname), '[]') as policies
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p') and n.nspname in ('directory', 'cell')`

const say = ({ name, command, roles }: Policy): string => `${name} for ${command} to ${roles.join(', ')}`

const centerSetting = `NULLIF(current_setting('app.center_id'::text, true), ''::text)`
const centersSetting = `NULLIF(current_setting('app.center_ids'::text, true), ''::text)`

/** The two policies of a tenant table: for all commands, for reads and writes, and null without a context. */
const tenancy = [
  { line: 'batch for ALL to cs_recorder, cs_sequencer', begins: '((center_id + 0) = ANY (', holds: centersSetting },
  { line: 'tenant for ALL to cs_api, cs_jobs', begins: '(center_id = (NULLIF', holds: centerSetting },
]

/** What the operator deletes of a center that has left. */
const leaving = 'leaving for ALL to cs_owner'

function tenantFaults(table: Table, otherPolicies: readonly string[]): string[] {
  const faults: string[] = []
  for (const { line, begins, holds } of tenancy) {
    const policy = table.policies.find((candidate) => say(candidate) === line)
    const sound = (condition: string | null | undefined) => condition?.startsWith(begins) && condition.includes(holds)
    if (!policy?.permissive || !sound(policy.using) || !sound(policy.check)) faults.push(`lacks the policy ${line}`)
  }
  const leaves = table.policies.some((policy) => say(policy) === leaving)
  const stays = !table.name.startsWith('cell.') || table.name in staysAfterLeaving
  if (leaves === stays) faults.push(leaves ? 'is not listed as deleted with its center' : `lacks the policy ${leaving}`)
  const lines = table.policies
    .map(say)
    .filter((line) => line !== leaving && !tenancy.some((rule) => rule.line === line))
  for (const line of lines) if (!otherPolicies.includes(line)) faults.push(`has the unlisted policy ${line}`)
  for (const line of otherPolicies) if (!lines.includes(line)) faults.push(`is listed with the absent policy ${line}`)
  if (!table.center_not_null) faults.push('center_id may be null')
  if (!table.center_default?.includes(centerSetting)) faults.push('center_id has not the default of its context')
  if (table.primary_key?.[0] !== 'center_id') faults.push('its primary key does not begin with center_id')
  if (!table.indexes.some(({ first }) => first === 'center_id')) faults.push('no index begins with center_id')
  for (const { name, first } of table.indexes) {
    if (first !== 'center_id' && !(name in indexesAcrossCenters)) faults.push(`index ${name} is across centers`)
  }
  return faults
}

function globalFaults(table: Table, listed: readonly string[]): string[] {
  const lines = table.policies.map(say)
  return [
    ...lines.filter((line) => !listed.includes(line)).map((line) => `has the unlisted policy ${line}`),
    ...listed.filter((line) => !lines.includes(line)).map((line) => `is listed with the absent policy ${line}`),
  ]
}

/** Roles reach a partition only through its partitioned table, so a partition needs no policy. */
function partFaults({ name, part_of, enabled, forced, policies }: Table): string[] {
  const owned = name in partsOpenToTheirOwner
  return [
    ...((partedTables as readonly (string | null)[]).includes(part_of) ? [] : [`is an unlisted part of ${part_of}`]),
    ...(enabled && (forced || owned) ? [] : ['row-level security is not forced']),
    ...policies.map((policy) => `has the unlisted policy ${say(policy)}`),
  ]
}

async function tableFaults(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<Table>(tablesOfTheFixture)
  const found = new Set(rows.map(({ name }) => name))
  const faults = [...Object.keys(tenantTables), ...Object.keys(globalTables), ...Object.keys(partsOpenToTheirOwner)]
    .filter((name) => !found.has(name))
    .map((name) => `${name} is listed and does not exist`)
  for (const table of rows) {
    const { name, owner, enabled, forced, part_of } = table
    const tenant = tenantTables[name]
    const shared = globalTables[name]
    const about = [
      ...(owner === 'cs_owner' ? [] : [`belongs to ${owner}`]),
      ...(part_of !== null ? partFaults(table) : enabled && forced ? [] : ['row-level security is not forced']),
      ...(tenant ? tenantFaults(table, tenant) : []),
      ...(shared ? globalFaults(table, shared.policies) : []),
      ...(tenant || shared || part_of !== null ? [] : ['is listed neither as tenant nor as global']),
    ]
    faults.push(...about.map((fault) => `${name}: ${fault}`))
  }
  return faults
}

const notOfTheSystem = `n.nspname not like 'pg\\_%' and n.nspname <> 'information_schema'`
const ours = `(select oid from pg_roles where rolname in (${ourRoles.map((role) => `'${role}'`).join(', ')}))`

/** One query per rule; each row that it returns is a fault. */
const rules: readonly string[] = [
  // A view runs with the rights of its owner unless it is security_invoker; a materialized view always does.
  `select n.nspname || '.' || c.relname || ': a view that does not run as its caller' as fault
   from pg_class c join pg_namespace n on n.oid = c.relnamespace
   where ${notOfTheSystem} and (c.relkind = 'm' or c.relkind = 'v' and not coalesce(c.reloptions @> '{security_invoker=true}', false))`,
  `select n.nspname || '.' || c.relname || ': a part that ' || coalesce(r.rolname, 'PUBLIC') || ' has a right to' as fault
   from pg_class c join pg_namespace n on n.oid = c.relnamespace
   cross join lateral (
     select * from aclexplode(c.relacl)
     union all select g.* from pg_attribute a cross join lateral aclexplode(a.attacl) g where a.attrelid = c.oid) g
   left join pg_roles r on r.oid = g.grantee
   where n.nspname in ('directory', 'cell') and c.relispartition and c.relkind in ('r', 'p') and g.grantee <> c.relowner`,
  `select rolname || ': a role that is superuser, bypasses row-level security or makes others' as fault
   from pg_roles where oid in ${ours} and (rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolreplication)`,
  `select rolname || ': an owner that can log in' as fault from pg_roles where rolname = 'cs_owner' and rolcanlogin`,
  `select distinct r.rolname || ': a role with rights here that is not listed' as fault
   from pg_class c join pg_namespace n on n.oid = c.relnamespace
   cross join lateral (select * from aclexplode(c.relacl) union all select * from aclexplode(n.nspacl)) g
   join pg_roles r on r.oid = g.grantee
   where n.nspname in ('directory', 'cell') and r.oid not in ${ours}`,
  `select m.member::regrole || ': a role that may become ' || m.roleid::regrole as fault
   from pg_auth_members m where m.member in ${ours}`,
  `select s.refobjid::regrole || ': owns ' || pg_describe_object(s.classid, s.objid, s.objsubid) as fault
   from pg_shdepend s where s.deptype = 'o' and s.refobjid in ${ours} and s.refobjid <> 'cs_owner'::regrole
     and s.dbid in (0, (select oid from pg_database where datname = current_database()))`,
  // TRUNCATE and REFERENCES bypass row-level security, and a trigger runs for other roles.
  `select n.nspname || '.' || c.relname || ': ' || g.privilege_type || ' for ' || coalesce(r.rolname, 'PUBLIC') as fault
   from pg_class c join pg_namespace n on n.oid = c.relnamespace cross join lateral aclexplode(c.relacl) g
   left join pg_roles r on r.oid = g.grantee
   where n.nspname in ('directory', 'cell') and c.relkind in ('r', 'p') and g.grantee <> c.relowner
     and (g.grantee = 0 or g.privilege_type in ('TRUNCATE', 'REFERENCES', 'TRIGGER'))`,
  `select n.nspname || ': ' || coalesce(r.rolname, 'PUBLIC') || ' may create objects' as fault
   from pg_namespace n cross join lateral aclexplode(n.nspacl) g left join pg_roles r on r.oid = g.grantee
   where ${notOfTheSystem} and g.privilege_type = 'CREATE' and (g.grantee = 0 or g.grantee in ${ours}) and r.rolname is distinct from 'cs_owner'`,
]

const tablesElsewhere = `
  select n.nspname as schema, c.relname as name,
    array(select distinct coalesce(r.rolname, 'PUBLIC')::text from aclexplode(c.relacl) g left join pg_roles r on r.oid = g.grantee
      where g.grantee <> c.relowner) as roles
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where ${notOfTheSystem} and n.nspname not in ('directory', 'cell') and c.relkind in ('r', 'p', 'f')`

async function engineFaults(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ schema: string; name: string; roles: string[] }>(tablesElsewhere)
  return rows.flatMap(({ schema, name, roles }) => {
    const engine = engineSchemas[schema]
    if (!engine) return [`${schema}.${name}: a table outside the directory and the cell`]
    return roles
      .filter((role) => !engine.roles.includes(role))
      .map((role) => `${schema}.${name}: open to ${role}, which needs no access to it`)
  })
}

/** Without an own search path, the caller would choose which objects the function uses. */
const functionsOfTheirOwner = `
  select n.nspname || '.' || p.proname as name, coalesce(p.proconfig @> '{"search_path=\\"\\""}', false) as closed,
    array(select coalesce(r.rolname, 'PUBLIC')::text from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) g
      left join pg_roles r on r.oid = g.grantee where g.grantee <> p.proowner) as roles
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace where ${notOfTheSystem} and p.prosecdef`

async function functionFaults(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string; closed: boolean; roles: string[] }>(functionsOfTheirOwner)
  const found = new Set(rows.map(({ name }) => name))
  const absent = Object.keys(ownersFunctions).filter((name) => !found.has(name))
  return [
    ...absent.map((name) => `${name} is listed and does not exist`),
    ...rows.flatMap(({ name, closed, roles }) => {
      const listed = ownersFunctions[name]
      if (!listed) return [`${name}: a function that runs with the rights of its owner`]
      const unlisted = roles.filter((role) => !listed.roles.includes(role))
      return [
        ...(closed ? [] : [`${name}: its search path is not empty`]),
        ...unlisted.map((role) => `${name}: ${role} may call it`),
      ]
    }),
  ]
}

export async function tenancyFaults(client: pg.ClientBase): Promise<string[]> {
  const faults = [...(await tableFaults(client)), ...(await engineFaults(client)), ...(await functionFaults(client))]
  for (const rule of rules) {
    const { rows } = await client.query<{ fault: string }>(rule)
    faults.push(...rows.map(({ fault }) => fault))
  }
  return faults
}
