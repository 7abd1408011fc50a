import type { Configuration } from '../../config/configuration.js';
import { readPemFile } from '../../config/read-pem-file.js';
import { durationText } from '../../lib/text/duration-text.js';
import { exchange } from '../request/http-exchange.js';
import { type Finding, findingsOf } from './finding.js';

const TIMEOUT_MILLISECONDS = 5_000;
/** `Date` has whole seconds, and answers take their time. */
const TOLERANCE_MILLISECONDS = 10_000;

/**
 * How far the clocks of HTTP services are from the one of this machine, by the `Date` of their answer to `HEAD /`. Of those that say
 * none, or are not reached, nothing is told.
 */
export async function checkServiceClocks({ outboundLines }: Configuration): Promise<readonly Finding[]> {
  const found = await Promise.all(
    outboundLines.map(async ({ name, site, tls }) => {
      if (site === undefined) return [];
      const ahead = await clockAhead(`${tls === undefined ? 'http' : 'https'}://${site}/`, tls?.ca);
      return ahead === undefined ? [] : [clockFinding('clock of service', name, ahead)];
    }),
  );
  return found.flat();
}

/** @param ahead milliseconds that the clock of another machine is ahead of this one's */
export function clockFinding(check: string, name: string, ahead: number): Finding {
  const { ok, warning } = findingsOf(check, name);
  if (Math.abs(ahead) <= TOLERANCE_MILLISECONDS) return ok('is that of this machine, to some seconds');
  return warning(
    `is ${durationText(Math.abs(ahead))} ${ahead > 0 ? 'ahead of' : 'behind'} the one of this machine`,
    'find out which of the two is right, and have both follow a server of time (chrony, systemd-timesyncd)',
  );
}

/** In milliseconds; undefined: it says none. */
async function clockAhead(url: string, ca: string | undefined): Promise<number | undefined> {
  try {
    const asked = Date.now();
    const { headers } = await exchange(
      new URL(url),
      { method: 'HEAD', headers: {} },
      {
        timeoutMilliseconds: TIMEOUT_MILLISECONDS,
        certificateAuthorities: ca === undefined ? undefined : readPemFile(ca).toString(),
      },
    );
    const told = Date.parse(headers.date ?? '');
    return Number.isNaN(told) ? undefined : told - (asked + Date.now()) / 2;
  } catch {
    return undefined;
  }
}
