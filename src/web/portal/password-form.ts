import { madePassword } from '../../access/users/made-password.js';
import { refusedChange } from '../../access/users/refused-change.js';
import { ServiceError } from '../../lib/errors.js';
import { OtherNodeError, otherNodeOf } from '../passing/passing-on.js';
import { challengeFields, challengeVariables, submitNumberOf } from '../sign-on/sign-on-form.js';
import { addressOf } from '../sign-on/signed-on-user.js';
import type { PageVariables, PortalRequest } from './portal-route.js';

const passwordFields = ['PASSWORD', 'PASSWORD-AGAIN'] as const;
/** The button for a password that nobody thought of. */
const MAKE_FIELD = 'MAKE';
/** 116 bits. */
const MADE_LENGTH = 20;

/** What a form is told whose passwords travel encrypted, as those of the sign-on form do. */
export async function passwordFormVariables({ site, request }: PortalRequest): Promise<PageVariables> {
  const { sessions, security } = site;
  if (sessions === undefined || security === undefined) throw new ServiceError('SVC_ERR_TEMPLATE_UNKNOWN');
  const address = addressOf(request.incoming);
  return challengeVariables(await security.challenges.make(address, () => sessions.challenge(address, undefined)));
}

interface NewPassword {
  readonly password: string;
  /** Whether it was made here, and its user does not know it. */
  readonly isMade: boolean;
  /** The form has done its work: its key pair is good for nothing more. */
  end(): void;
}

/**
 * The password that was typed twice, or one that is made here.
 * @throws ServiceError SVC_ERR_CRYPTO_REFUSED, SVC_ERR_SECURITY_CHANGE
 */
export function newPassword({ site, request, field, fields }: PortalRequest): NewPassword {
  const { incoming } = request;
  const challenges = site.security?.challenges;
  const code = field(challengeFields.code);
  const other = otherNodeOf(site, incoming, code);
  if (other !== undefined) {
    const typed = new URLSearchParams();
    for (const [name, values] of fields) for (const value of values) typed.append(name, value);
    throw new OtherNodeError(other, Buffer.from(typed.toString()));
  }
  const challenge = challenges?.find(code, addressOf(incoming));
  if (challenge === undefined) throw new ServiceError('SVC_ERR_CRYPTO_REFUSED');
  const end = () => challenges?.end(code);
  if (field(MAKE_FIELD) !== '') {
    // the script of the page makes one in the browser
    if (challenge.crypto !== undefined && site.line.tls === undefined) {
      throw refusedChange(
        'This line has no TLS: a password made here would travel in clear. Use a browser with JavaScript.',
      );
    }
    return { password: madePassword(MADE_LENGTH), isMade: true, end };
  }
  const clear = challenge.clearSecrets({
    secrets: passwordFields.map((fieldId) => ({ fieldId, value: field(fieldId) })),
    wrappedKey: field(challengeFields.sessionKey) || undefined,
    number: submitNumberOf(incoming),
  });
  if (clear === undefined) throw new ServiceError('SVC_ERR_CRYPTO_REFUSED');
  const [password = '', again] = clear;
  if (password !== again) throw refusedChange('The two passwords are not the same.');
  return { password, isMade: false, end };
}
