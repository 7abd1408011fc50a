import { createHash, timingSafeEqual } from 'node:crypto';

const MOST_WRONG_PASSWORDS = 3;
const LONGEST_PASSWORD = 8;
const SHORTEST_PASSWORD = 4;

interface User {
  password: Buffer;
  wrongPasswords: number;
}

type SignOnOutcome = 'signedOn' | 'wrong' | 'revoked';

/** Changed passwords last until the host stops. Names and passwords are case-insensitive, as on real hosts. */
export class UserList {
  readonly #users = new Map<string, User>();

  constructor(users: Readonly<Record<string, string>>) {
    for (const [name, password] of Object.entries(users)) {
      this.#users.set(name.toUpperCase(), { password: digest(password), wrongPasswords: 0 });
    }
  }

  /** Returns `wrong` for unknown users too, so that names cannot be guessed. */
  signOn(name: string, password: string): SignOnOutcome {
    const user = this.#users.get(name.toUpperCase());
    if (user === undefined) return 'wrong';
    if (user.wrongPasswords >= MOST_WRONG_PASSWORDS) return 'revoked';
    if (timingSafeEqual(user.password, digest(password))) {
      user.wrongPasswords = 0;
      return 'signedOn';
    }
    user.wrongPasswords++;
    return user.wrongPasswords >= MOST_WRONG_PASSWORDS ? 'revoked' : 'wrong';
  }

  /** @returns false if the length of the new password is not allowed */
  changePassword(name: string, password: string): boolean {
    const user = this.#users.get(name.toUpperCase());
    if (user === undefined || password.length < SHORTEST_PASSWORD || password.length > LONGEST_PASSWORD) return false;
    user.password = digest(password);
    return true;
  }

  restore(name: string): boolean {
    const user = this.#users.get(name.toUpperCase());
    if (user !== undefined) user.wrongPasswords = 0;
    return user !== undefined;
  }
}

function digest(password: string): Buffer {
  return createHash('sha256').update(password.toUpperCase()).digest();
}
