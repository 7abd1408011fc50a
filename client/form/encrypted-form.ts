import { encryptForm } from './form-submission.js';

/** Pages have the fields marked VCRYPT disabled: without JavaScript nothing encrypts them, and nothing is to be typed there. */
for (const form of document.querySelectorAll<HTMLFormElement>('form[method="post"]'))
  encryptForm(form, 'input[vcrypt]');
