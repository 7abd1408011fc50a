export interface Account {
  readonly number: string;
  readonly name: string;
  readonly currency: string;
  /** In hundredths. */
  readonly balance: number;
  readonly limit: number;
  readonly version: number;
}

const firstAccounts: readonly Account[] = [
  account('10000001', 'ADA LOVELACE', 'GBP', 1_254_075, 500_000),
  account('10000002', 'GRACE HOPPER', 'USD', 98_410, 250_000),
  account('10000003', 'KONRAD ZUSE', 'EUR', -12_550, 100_000),
  account('10000004', 'EDSGER DIJKSTRA', 'EUR', 77_777_777, 1_000_000),
  account('10000005', 'BARBARA LISKOV', 'USD', 0, 0),
];

function account(number: string, name: string, currency: string, balance: number, limit: number): Account {
  return { number, name, currency, balance, limit, version: 1 };
}

export class AccountBook {
  readonly #accounts = new Map(firstAccounts.map((one) => [one.number, one]));

  find(number: string): Account | undefined {
    return this.#accounts.get(number);
  }

  /** @returns false if another terminal has changed the account since `version` */
  update(number: string, version: number, change: Pick<Account, 'name' | 'limit'>): boolean {
    const found = this.#accounts.get(number);
    if (found === undefined || found.version !== version) return false;
    this.#accounts.set(number, { ...found, ...change, version: version + 1 });
    return true;
  }
}
