interface Migration {
  /**
   * Oldest schema version whose servers can use the schema after this step, so that old and new servers can run side by
   * side. A step that only adds tables, indexes, or columns with a default or NULL keeps the number of the previous
   * step. Any other step has its own number.
   */
  readonly least: number;
  readonly statements: string;
}

/**
 * Published steps never change. Add a new step instead. Text from users or other programs is stored as bytea if it is
 * compared, because text in PostgreSQL cannot contain NUL. Times are milliseconds since 1970 on the clock of the
 * database.
 */
export const migrations: readonly Migration[] = [
  {
    least: 1,
    statements: `
create table sallyport.users (
  name text collate "C" primary key, folded text not null unique, role text not null, groups text[] not null,
  password text, password_set text, expires text, locked text
);
create table sallyport.groups (position bigint generated always as identity, name text collate "C" primary key, folded text not null unique);
create table sallyport.users_version (only_row boolean primary key default true check (only_row), version bigint not null);
insert into sallyport.users_version (version) values (0);

create table sallyport.tokens (
  folded text primary key, name text not null, hash text not null unique, scopes text[] not null,
  created text not null, expires text not null, last_used text
);

create table sallyport.sign_ons (
  kind text not null, id bytea not null, user_key bytea not null, user_name text not null, password_set text,
  until bigint not null, idle_until bigint not null, added bigint generated always as identity,
  primary key (kind, id)
);
create index on sallyport.sign_ons (kind, user_key, added);
create index on sallyport.sign_ons (kind, added);

create table sallyport.tries (
  kind text not null, key bytea not null, id bigint generated always as identity, has_failed boolean not null, until bigint,
  primary key (kind, key, id)
);
create index on sallyport.tries (until);

create table sallyport.directory_keys (
  id bytea primary key, holder bytea not null, level text not null, name text, until bigint not null,
  added bigint generated always as identity
);
create index on sallyport.directory_keys (holder, added);
create index on sallyport.directory_keys (added);
create index on sallyport.directory_keys (until);

create table sallyport.settings (user_key text primary key, text bytea not null, etag text not null);

create table sallyport.drafts (
  id uuid primary key, user_key bytea not null, stored_at bigint not null, draft text not null
);

create table sallyport.macro_directories (
  level text not null, name text not null, newest bigint not null, is_there boolean not null, primary key (level, name)
);
create table sallyport.macro_versions (
  level text not null, name text not null, number bigint not null, bytes bytea not null, etag text not null, modified bigint not null,
  primary key (level, name, number), foreign key (level, name) references sallyport.macro_directories
);
alter table sallyport.macro_versions alter column bytes set storage external;

create table sallyport.idempotency (
  id bytea primary key, caller bytea not null, content bytea not null, at bigint not null, owner integer not null,
  answer text, bytes bigint not null
);
create index on sallyport.idempotency (at);
create index on sallyport.idempotency (caller);
create table sallyport.idempotency_total (
  only_row boolean primary key default true check (only_row), requests bigint not null, bytes bigint not null
);
insert into sallyport.idempotency_total (requests, bytes) values (0, 0);

create table sallyport.audit_entries (sequence bigint primary key, intent bigint, line text not null);
create table sallyport.audit_head (
  only_row boolean primary key default true check (only_row), sequence bigint not null, hash text not null
);
insert into sallyport.audit_head (sequence, hash) values (0, repeat('0', 64))`,
  },
  {
    least: 1,
    statements: `
create table sallyport.nodes (
  code text collate "C" primary key, owner integer not null, address text not null, version text not null, state text not null,
  sessions integer not null, heartbeat bigint not null
);
create table sallyport.node_sessions (
  node text collate "C" not null references sallyport.nodes on delete cascade, id text not null, facts text not null,
  primary key (node, id)
);
create table sallyport.node_news (number bigint generated always as identity primary key, at bigint not null, text text not null);
create index on sallyport.node_news (at)`,
  },
  {
    least: 1,
    statements: `
alter table sallyport.users add column id text;
alter table sallyport.directory_keys add column identity text not null default ''`,
  },
  {
    least: 1,
    statements: `
create table sallyport.cluster_key (
  only_row boolean primary key default true check (only_row), key bytea not null check (octet_length(key) = 32)
)`,
  },
  {
    // Triggers also number the changes of servers that do not know the column.
    least: 1,
    statements: `
alter table sallyport.users add column changed bigint not null default 0;
create index on sallyport.users (changed);
create table sallyport.removed_users (name text collate "C" primary key, changed bigint not null);
create index on sallyport.removed_users (changed);
create function sallyport.number_user() returns trigger language plpgsql as $$
begin
  new.changed := (select version + 1 from sallyport.users_version);
  return new;
end $$;
create trigger number_user before insert or update on sallyport.users for each row execute function sallyport.number_user();
create function sallyport.note_removed_user() returns trigger language plpgsql as $$
begin
  insert into sallyport.removed_users (name, changed) select old.name, version + 1 from sallyport.users_version
    on conflict (name) do update set changed = excluded.changed;
  return null;
end $$;
create trigger note_removed_user after delete on sallyport.users for each row execute function sallyport.note_removed_user()`,
  },
];

/** Minimum privileges. They do not allow changing or deleting audit entries. */
const changed = [
  'users',
  'removed_users',
  'groups',
  'tokens',
  'sign_ons',
  'tries',
  'directory_keys',
  'settings',
  'drafts',
  'macro_directories',
  'macro_versions',
  'idempotency',
  'nodes',
  'node_sessions',
  'node_news',
];
const singleRows = ['users_version', 'idempotency_total', 'audit_head'];

/** @param role quoted identifier */
export function grantsOf(role: string): string {
  const named = (names: readonly string[]) => names.map((name) => `sallyport.${name}`).join(', ');
  return `
    grant usage on schema sallyport to ${role};
    grant select on sallyport.schema_version to ${role};
    grant select, insert, update, delete on ${named(changed)} to ${role};
    grant select, update on ${named(singleRows)} to ${role};
    grant select, insert on sallyport.audit_entries, sallyport.cluster_key to ${role}`;
}
