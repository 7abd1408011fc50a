import { checkPassword, passwordRule } from '../../access/users/password-rule.js';
import { askHidden, NoAnswerError } from '../ask.js';

export interface NewPasswordOption {
  readonly passwordStdin?: boolean;
}

export const passwordStdinOption = ['--password-stdin', 'the password is the first line of standard input'] as const;

/**
 * A new password: typed twice on a terminal, or a line of standard input. There is no option for it: others can read command lines.
 * @throws NoAnswerError, and ServiceError SVC_ERR_SECURITY_CHANGE where it is too short or too long
 */
export async function newPassword(name: string, { passwordStdin = false }: NewPasswordOption): Promise<string> {
  if (!process.stdin.isTTY && !passwordStdin) {
    throw new NoAnswerError('standard input is no terminal: --password-stdin takes the password from its first line');
  }
  const password = await askHidden(passwordStdin ? 'Password: ' : `New password of ${name} (${passwordRule}): `);
  checkPassword(password);
  if (!passwordStdin && (await askHidden('The same again: ')) !== password) {
    throw new NoAnswerError('the two passwords differ; nothing was changed');
  }
  return password;
}
