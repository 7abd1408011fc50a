import { outside } from '../../client-turn.js';
import { documentEncoding } from '../../document/document-encoding.js';
import { messageOf } from '../../error-message.js';
import type { OutboundReply } from '../../outbound/outbound.js';
import type { ScenarioRun } from '../scenario-run.js';
import { secretTexts } from '../secret-texts.js';
import { bytesOf } from '../value.js';

/**
 * Makes the outbound call that a set of options describes: the reply's body and status go to the variables they name. The log has
 * a line for each call that fails, and for each reply that is not a success.
 *
 * @returns why the call failed, undefined if it did not; an HTTP error status is not a failure
 */
export async function sendToLine(
  run: ScenarioRun,
  line: string,
  optionsName: string,
  maxTimeHundredths: number | undefined,
): Promise<string | undefined> {
  const { log } = run.ports;
  const logged = { requestId: run.request.requestId, module: run.moduleName, outboundLine: line };
  const reply = await replyTo(run, line, optionsName, maxTimeHundredths);
  if (typeof reply === 'string') {
    log.warn({ ...logged, reason: reply }, 'outbound call failed');
    return reply;
  }
  const { status, body, contentType } = reply;
  if (status >= 300) log.info({ ...logged, status }, 'outbound call answered with an error status');
  const { fileIn, returnCode } = run.httpOptions.get(optionsName.toUpperCase()) ?? {};
  if (returnCode !== undefined) run.replace(returnCode, String(status));
  if (fileIn !== undefined) run.replace(fileIn, { bytes: body, encoding: documentEncoding(body, contentType) });
  return undefined;
}

/** @returns the reply, or why there is none */
async function replyTo(
  run: ScenarioRun,
  line: string,
  optionsName: string,
  maxTimeHundredths: number | undefined,
): Promise<OutboundReply | string> {
  const options = run.httpOptions.get(optionsName.toUpperCase());
  if (options === undefined) return `no OPTION$ FOR-HTTP has set ${optionsName}`;
  const { fileOut, method, site, path, headers } = options;
  const out = fileOut === undefined ? undefined : run.valueOf(fileOut);
  if (fileOut !== undefined && out === undefined)
    return `the variable ${fileOut} that holds the request does not exist`;
  const body = out === undefined ? undefined : bytesOf(out, run.outputEncoding);
  const milliseconds = maxTimeHundredths === undefined ? undefined : maxTimeHundredths * 10;
  const traced = { id: run.request.requestId, secrets: () => secretTexts(run.variables, run.request) };
  try {
    const request = { method, site, path, headers, body, traced };
    const { outbound } = run.ports;
    const { client } = run.request.names;
    return await outside(client, () => outbound.call(line, request, milliseconds, run.signal));
  } catch (failure) {
    return messageOf(failure);
  }
}
