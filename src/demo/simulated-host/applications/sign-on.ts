import type { Application } from '../application.js';

export const signOn: Application = async (terminal, host) => {
  let message = '';
  let user = '';
  for (;;) {
    const panel = terminal
      .panel('SIGNON', 'Sallyport simulated host')
      .text(1, 68, terminal.deviceName, { colour: 'turquoise' })
      .text(5, 10, 'Type your userid and password, then press ENTER:', { colour: 'green' })
      .text(8, 14, 'Userid  . . . .', { colour: 'green' })
      .input('user', 8, 31, { length: 8, value: user, colour: 'turquoise', highlighting: 'underscore' })
      .text(10, 14, 'Password  . . .', { colour: 'green' })
      .input('password', 10, 31, { length: 8, hidden: true })
      .text(12, 14, 'New password  .', { colour: 'green' })
      .input('newPassword', 12, 31, { length: 8, hidden: true })
      .text(22, 2, message, { colour: 'red', intensified: true })
      .text(24, 2, 'ENTER=Sign on   F3=Exit', { colour: 'blue' })
      .cursorAt(user === '' ? 'user' : 'password');
    const { key, fields } = await terminal.show(panel);
    if (key === 'pf3') return undefined;
    user = (fields.user ?? '').toUpperCase();
    if (key !== 'enter') {
      message = 'This key is not active';
      continue;
    }
    if (user === '') {
      message = 'Please type your userid';
      continue;
    }
    const outcome = host.users.signOn(user, fields.password ?? '');
    if (outcome === 'revoked') message = 'This userid has been revoked';
    else if (outcome === 'wrong') message = 'Userid or password is not valid';
    else if ((fields.newPassword ?? '') !== '' && !host.users.changePassword(user, fields.newPassword ?? '')) {
      message = 'The new password must have 4 to 8 characters';
    } else {
      terminal.user = user;
      return 'MENU';
    }
  }
};
