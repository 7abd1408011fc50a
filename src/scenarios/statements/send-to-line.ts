import { type ReadOutcome, readAs, readFault } from '../../lib/read-outcome.js';
import { messageOf } from '../../lib/text/messages.js';
import { outside } from '../../lib/turns/fair-turns.js';
import { documentEncoding } from '../map/document.js';
import type { OutboundReply } from '../outbound/outbound.js';
import type { ScenarioRun } from '../scenario-run.js';
import { secretTexts } from '../scenario-trace.js';
import { bytesOf } from '../value.js';

/**
 * Makes the outbound call described by a set of options and stores the body and status of the reply in the variables of
 * the options. Logs every failed call and every reply without a success status.
 *
 * @returns the reason for a failed call; an HTTP error status is not a failure
 */
export async function sendToLine(
  run: ScenarioRun,
  line: string,
  optionsName: string,
  maxTimeHundredths: number | undefined,
): Promise<string | undefined> {
  const { log } = run.ports;
  const logged = { requestId: run.request.requestId, module: run.moduleName, outboundLine: line };
  const ended = await callLine(run, line, optionsName, maxTimeHundredths);
  if (ended.kind === 'fault') {
    log.warn({ ...logged, reason: ended.fault }, 'outbound call failed');
    return ended.fault;
  }
  const { status, body, contentType } = ended.value;
  if (status >= 300) log.info({ ...logged, status }, 'outbound call answered with an error status');
  const { fileIn, returnCode } = run.httpOptions.get(optionsName.toUpperCase()) ?? {};
  if (returnCode !== undefined) run.replace(returnCode, String(status));
  if (fileIn !== undefined) run.replace(fileIn, { bytes: body, encoding: documentEncoding(body, contentType) });
  return undefined;
}

async function callLine(
  run: ScenarioRun,
  line: string,
  optionsName: string,
  maxTimeHundredths: number | undefined,
): Promise<ReadOutcome<OutboundReply>> {
  const options = run.httpOptions.get(optionsName.toUpperCase());
  if (options === undefined) return readFault(`no OPTION$ FOR-HTTP has set ${optionsName}`);
  const { fileOut, method, site, path, headers } = options;
  const out = fileOut === undefined ? undefined : run.valueOf(fileOut);
  if (fileOut !== undefined && out === undefined)
    return readFault(`the variable ${fileOut} with the request does not exist`);
  const body = out === undefined ? undefined : bytesOf(out, run.outputEncoding);
  const milliseconds = maxTimeHundredths === undefined ? undefined : maxTimeHundredths * 10;
  const traced = { id: run.request.requestId, secrets: () => secretTexts(run.variables, run.request) };
  try {
    const request = { method, site, path, headers, body, traced };
    const { outbound } = run.ports;
    const { client } = run.request.names;
    return readAs(await outside(client, () => outbound.call(line, request, milliseconds, run.signal)));
  } catch (failure) {
    return readFault(messageOf(failure));
  }
}
