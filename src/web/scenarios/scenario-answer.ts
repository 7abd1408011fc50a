import type { ScenarioAnswer } from '../../scenarios/scenario-outcome.js';
import type { Answer } from '../http/answer.js';
import { answerPolicy, withPolicy } from '../http/content-security-policy.js';
import { attachmentDisposition, dynamicHeaders, nextMidnight } from '../http/response-headers.js';

/** The answer that a scenario has made itself (SEND$ AS-ANSWER, SEND$ AS-FILE). */
export function scenarioAnswer(
  { contentType, body, expires, fileName }: ScenarioAnswer,
  contentSecurityPolicy: string = answerPolicy,
): Answer {
  const expiry = expires === 'endOfDay' ? nextMidnight(new Date()) : '0';
  const headers = dynamicHeaders(contentType, body.length, expiry);
  if (fileName !== undefined) headers.push('Content-Disposition', attachmentDisposition(fileName));
  return { status: 200, headers: withPolicy(headers, contentSecurityPolicy), body };
}
