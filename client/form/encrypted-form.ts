import { encryptForm, tell } from './form-submission.js';
import { formWords } from './form-words.js';

/** Pages disable fields marked VCRYPT: without JavaScript they would be sent unencrypted. */
for (const form of document.querySelectorAll<HTMLFormElement>('form[method="post"]'))
  encryptForm(form, 'input[vcrypt]');

// sign-on needs a cookie: without cookies the form would return without a message
if (document.querySelector('input[name="SIGNON-CODE"]') !== null && !navigator.cookieEnabled)
  tell(formWords().noCookies);
