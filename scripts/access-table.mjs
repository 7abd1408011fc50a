// npm run access-table [-- --check]: generates from src/web/routes.ts the table of portal lines in docs/run/access.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, projectFolder } from './build.mjs';

const page = join(projectFolder, 'docs', 'run', 'access.md');
const roles = ['user', 'operator', 'administrator'];

/** The page with the table of the routes. */
export function accessPage({ portalRoutes, adminRoutes }) {
  const rows = [...portalRoutes.map(portalRow), ...adminRoutes.map(adminRow)];
  const head = ['| request | not signed on | user | operator | administrator | |', '|---|---|---|---|---|---|'];
  return readFileSync(page, 'utf8').replace(
    /(<!-- routes -->\n)[\s\S]*?(<!-- end -->)/,
    (_, start, end) => `${start}\n${[...head, ...rows].join('\n')}\n\n${end}`,
  );
}

function portalRow({ method, path, role, reply = {} }) {
  const { status = method === 'GET' ? 200 : 303, withoutSignOn = 401, note } = reply;
  const least = roles.indexOf(role);
  return row({
    method,
    path,
    statuses: [withoutSignOn, ...roles.map((_, rank) => (rank < least ? 403 : status))],
    note,
  });
}

/** A sign-on at the portal does not count: only tokens are accepted. */
function adminRow({ method, path, scope }) {
  return row({ method, path, statuses: [401, 401, 401, 401], note: `token with scope \`${scope}\`` });
}

function row({ method, path, statuses, note }) {
  return `| \`${method} ${path}\` | ${statuses.join(' | ')} | ${note === undefined ? '' : `${note} `}|`;
}

if (process.argv[1] === import.meta.filename) {
  ensureInstalled();
  ensureBuilt();
  const contents = accessPage(await import('../dist/src/web/routes.js'));
  if (process.argv[2] !== '--check') writeFileSync(page, contents);
  else if (readFileSync(page, 'utf8') !== contents) {
    process.stdout.write(`${page} is out of date. Run: npm run access-table\n`);
    process.exitCode = 1;
  }
}
