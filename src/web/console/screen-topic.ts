import type { ScreenWatch } from '../../operation/live-session.js';
import type { SessionOperations } from '../../operation/session-operations.js';
import { SentScreen } from '../../terminal/protocol/sent-screen.js';
import type { ConsoleTopic, TopicFeed, TopicRequest } from './console-topic.js';

/** To whoever watches, the keyboard is never free. */
const circumstances = { lock: 2, notice: '' } as const;

/** The screen of a session, watched as long as the stream lasts. Its events are messages of docs/screen-protocol.md. */
export class ScreenTopic implements ConsoleTopic {
  readonly role = 'administrator';
  readonly #sessions: SessionOperations;

  constructor(sessions: SessionOperations) {
    this.#sessions = sessions;
  }

  async open({ actor, parameter: id, wake }: TopicRequest): Promise<TopicFeed> {
    let hasEnded = false;
    let hasToldEnd = false;
    const ended = () => {
      hasEnded = true;
      wake();
    };
    const watch: ScreenWatch = await this.#sessions.watch(actor, id, { changed: wake, ended });
    const sent = new SentScreen();
    return {
      next: () => {
        if (hasEnded) {
          if (hasToldEnd) return undefined;
          hasToldEnd = true;
          return JSON.stringify({ k: 'e', e: 'over' });
        }
        const { image } = watch;
        if (image === undefined || sent.shows(image.revision, circumstances)) return undefined;
        return sent.update(image, circumstances);
      },
      close: () => watch.leave(),
    };
  }
}
