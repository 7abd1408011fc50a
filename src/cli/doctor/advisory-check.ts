import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { installationFolder } from '../../config/installation.js';
import { type Finding, findingsOf } from './finding.js';

const LIMIT_MILLISECONDS = 20_000;
const MOST_ANSWER_BYTES = 4 * 1024 * 1024;
const args = ['audit', '--omit=dev', '--json', '--fetch-retries=0', '--fetch-timeout=10000'];

/**
 * Asks the registry of npm for advisories on the packages that are installed. Sallyport brings no such list along: without the
 * registry nothing is known, and that is no fault.
 */
export async function checkAdvisories(isAsked: boolean): Promise<Finding> {
  const { ok, warning } = findingsOf('advisories', 'packages');
  if (!isAsked) return ok('not asked for (--offline): there is no list of advisories here');
  if (!existsSync(join(installationFolder, 'package-lock.json'))) {
    return ok('not asked for: the installation has no package-lock.json, which npm audit needs');
  }
  const counts = countsOf(await answerOf());
  if (counts === undefined)
    return ok('not known: the registry of npm was not reached, and there is no list of advisories here');
  const found = Object.entries(counts).filter(([severity, count]) => severity !== 'total' && Number(count) > 0);
  if (found.length === 0) return ok('the registry of npm knows none for the packages that are installed');
  const words = found.map(([severity, count]) => `${count} ${severity}`).join(', ');
  return warning(
    `the registry of npm knows advisories: ${words}`,
    'npm audit --omit=dev lists them; install the next release',
  );
}

function answerOf(): Promise<string> {
  const options = { cwd: installationFolder, timeout: LIMIT_MILLISECONDS, maxBuffer: MOST_ANSWER_BYTES };
  return new Promise((resolve) => {
    // it ends with 1 where there are advisories
    execFile('npm', args, options, (_error, stdout) => resolve(stdout));
  });
}

function countsOf(answer: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const { metadata } = Object(JSON.parse(answer));
    return metadata === undefined ? undefined : Object(metadata.vulnerabilities);
  } catch {
    return undefined;
  }
}
