const CHANNEL = 'sallyport-pages';
/** In which another tab of this browser answers. */
const ANSWER_MILLISECONDS = 80;

interface Question {
  readonly asks: string;
  readonly from: string;
}
interface Answer {
  readonly taken: string;
}

/**
 * Whether another tab is this very page: a tab that was duplicated has the storage of the other, and would send its submits under
 * numbers that the other has used. A page that was loaded again finds nobody.
 * @param identity of the page: its session and its number
 */
export function isTakenElsewhere(identity: string): Promise<boolean> {
  const channel = new BroadcastChannel(CHANNEL);
  const from = Array.from(crypto.getRandomValues(new Uint32Array(4))).join('-');
  return new Promise((resolve) => {
    const finish = (isTaken: boolean) => {
      clearTimeout(timer);
      channel.close();
      resolve(isTaken);
    };
    const timer = setTimeout(() => finish(false), ANSWER_MILLISECONDS);
    channel.addEventListener('message', ({ data }: MessageEvent<Partial<Answer>>) => {
      if (data.taken === from) finish(true);
    });
    channel.postMessage({ asks: identity, from } satisfies Question);
  });
}

/** Answers other tabs that ask. @param identity of this page; undefined while it has none */
export function answerClaims(identity: () => string | undefined): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener('message', ({ data }: MessageEvent<Partial<Question>>) => {
    if (data.asks !== undefined && data.asks === identity()) channel.postMessage({ taken: data.from });
  });
}
