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
  if (ended.kind === 'failed') {
    const { reason } = ended;
    log.warn({ ...logged, reason }, 'outbound call failed');
    return reason;
  }
  const { status, body, contentType } = ended.reply;
  if (status >= 300) log.info({ ...logged, status }, 'outbound call answered with an error status');
  const { fileIn, returnCode } = run.httpOptions.get(optionsName.toUpperCase()) ?? {};
  if (returnCode !== undefined) run.replace(returnCode, String(status));
  if (fileIn !== undefined) run.replace(fileIn, { bytes: body, encoding: documentEncoding(body, contentType) });
  return undefined;
}

type CallEnd =
  | { readonly kind: 'answered'; readonly reply: OutboundReply }
  | { readonly kind: 'failed'; readonly reason: string };

async function callLine(
  run: ScenarioRun,
  line: string,
  optionsName: string,
  maxTimeHundredths: number | undefined,
): Promise<CallEnd> {
  const options = run.httpOptions.get(optionsName.toUpperCase());
  if (options === undefined) return failed(`no OPTION$ FOR-HTTP has set ${optionsName}`);
  const { fileOut, method, site, path, headers } = options;
  const out = fileOut === undefined ? undefined : run.valueOf(fileOut);
  if (fileOut !== undefined && out === undefined)
    return failed(`the variable ${fileOut} with the request does not exist`);
  const body = out === undefined ? undefined : bytesOf(out, run.outputEncoding);
  const milliseconds = maxTimeHundredths === undefined ? undefined : maxTimeHundredths * 10;
  const traced = { id: run.request.requestId, secrets: () => secretTexts(run.variables, run.request) };
  try {
    const request = { method, site, path, headers, body, traced };
    const { outbound } = run.ports;
    const { client } = run.request.names;
    const reply = await outside(client, () => outbound.call(line, request, milliseconds, run.signal));
    return { kind: 'answered', reply };
  } catch (failure) {
    return failed(messageOf(failure));
  }
}

function failed(reason: string): CallEnd {
  return { kind: 'failed', reason };
}
