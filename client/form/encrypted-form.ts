import { encryptForm } from './form-submission.js';

/** A page without JavaScript cannot encrypt the fields marked VCRYPT, and its submit is refused. */
for (const form of document.querySelectorAll<HTMLFormElement>('form[method="post"]'))
  encryptForm(form, 'input[vcrypt]');
