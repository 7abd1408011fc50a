import { encryptForm, tell } from './form-submission.js';
import { formWords } from './form-words.js';

/** Pages have the fields marked VCRYPT disabled: without JavaScript nothing encrypts them, and nothing is to be typed there. */
for (const form of document.querySelectorAll<HTMLFormElement>('form[method="post"]'))
  encryptForm(form, 'input[vcrypt]');

// who has signed on is known by a cookie: without it the form would come again, and say nothing
if (document.querySelector('input[name="SIGNON-CODE"]') !== null && !navigator.cookieEnabled)
  tell(formWords().noCookies);
