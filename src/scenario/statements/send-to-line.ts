import { outside } from '../../client-turn.js';
import { documentEncoding } from '../../document/document-encoding.js';
import { messageOf } from '../../error-message.js';
import type { OutboundReply } from '../../outbound/outbound.js';
import type { ScenarioRun } from '../scenario-run.js';
import { secretTexts } from '../secret-texts.js';
import { bytesOf } from '../value.js';

/**
 * Makes the outbound call that a set of options describes: the reply's body and status go to the variables they name.
 *
 * @returns why the call failed, undefined if it did not; an HTTP error status is not a failure
 */
export async function sendToLine(
  run: ScenarioRun,
  line: string,
  optionsName: string,
  maxTimeHundredths: number | undefined,
): Promise<string | undefined> {
  const options = run.httpOptions.get(optionsName.toUpperCase());
  if (options === undefined) return `no OPTION$ FOR-HTTP has set ${optionsName}`;
  const { fileOut, fileIn, returnCode, method, site, path, headers } = options;
  const out = fileOut === undefined ? undefined : run.valueOf(fileOut);
  if (fileOut !== undefined && out === undefined)
    return `the variable ${fileOut} that holds the request does not exist`;
  const body = out === undefined ? undefined : bytesOf(out, run.outputEncoding);
  const milliseconds = maxTimeHundredths === undefined ? undefined : maxTimeHundredths * 10;
  let reply: OutboundReply;
  try {
    const traced = { id: run.request.requestId, secrets: () => secretTexts(run.variables, run.request) };
    const request = { method, site, path, headers, body, traced };
    const { outbound } = run.ports;
    const { client } = run.request.names;
    reply = await outside(client, () => outbound.call(line, request, milliseconds, run.signal));
  } catch (failure) {
    const message = messageOf(failure);
    const { requestId } = run.request;
    run.ports.log.warn(
      { requestId, module: run.moduleName, outboundLine: line, reason: message },
      'outbound call failed',
    );
    return message;
  }
  if (returnCode !== undefined) run.replace(returnCode, String(reply.status));
  if (fileIn !== undefined) {
    run.replace(fileIn, { bytes: reply.body, encoding: documentEncoding(reply.body, reply.contentType) });
  }
  return undefined;
}
