const CHANNEL = 'sallyport-pages';
const ANSWER_MILLISECONDS = 80;

interface Question {
  readonly asks: string;
  readonly from: string;
}
interface ClaimAnswer {
  readonly taken: string;
}

/**
 * A duplicated tab copies the storage and would reuse submit numbers; a reloaded page gets no answer.
 * @param identity session and number of the page
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
    channel.addEventListener('message', ({ data }: MessageEvent<Partial<ClaimAnswer>>) => {
      if (data.taken === from) finish(true);
    });
    channel.postMessage({ asks: identity, from } satisfies Question);
  });
}

export function answerClaims(identity: () => string | undefined): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener('message', ({ data }: MessageEvent<Partial<Question>>) => {
    if (data.asks !== undefined && data.asks === identity()) channel.postMessage({ taken: data.from });
  });
}
