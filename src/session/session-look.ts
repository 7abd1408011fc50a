import { type HostLook, type HostQuestion, lookAtHost } from '../conversation/look.js';
import type { StepGround } from '../conversation/step.js';
import type { BrowserSession } from './browser-session.js';

/** Says what the host of a session shows its pages. @throws what the signal was aborted with */
export function lookAtSession(session: BrowserSession, question: HostQuestion): Promise<HostLook> {
  return lookAtHost(groundOf(session), question);
}

/** The conversation, as far as it is not a scenario's. */
function groundOf(session: BrowserSession): StepGround {
  const { conversation } = session;
  const isOurs = () => session.isSettled && !session.hasScenario;
  return {
    get image() {
      return conversation.image;
    },
    get end() {
      return conversation.end;
    },
    get isSettled() {
      return conversation.isSettled && isOurs();
    },
    get programCheck() {
      return conversation.programCheck;
    },
    act: (act) => conversation.act(act),
    waitUntilSettled: (isThere, wait) => conversation.waitUntilSettled(() => isOurs() && isThere(), wait),
  };
}
