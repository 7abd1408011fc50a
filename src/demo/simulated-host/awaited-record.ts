/** The record that an application waits for; one at a time. */
export class AwaitedRecord {
  #waiting: { readonly take: (record: Uint8Array) => void; readonly reject: (error: Error) => void } | undefined;

  /** @param read undefined: the record is no answer, and the next one is waited for */
  wait<Read>(read: (record: Uint8Array) => Read | undefined): Promise<Read> {
    return new Promise((resolve, reject) => {
      const take = (record: Uint8Array) => {
        const answer = read(record);
        if (answer === undefined) return;
        this.#waiting = undefined;
        resolve(answer);
      };
      this.#waiting = { take, reject };
    });
  }

  take(record: Uint8Array): void {
    this.#waiting?.take(record);
  }

  fail(error: Error): void {
    this.#waiting?.reject(error);
    this.#waiting = undefined;
  }
}
