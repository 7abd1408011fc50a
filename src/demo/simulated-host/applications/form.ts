import { validations } from '../../../tn3270/datastream/attributes.js';
import type { Application } from '../application.js';

export const form: Application = async (terminal) => {
  let message = 'Fields with an asterisk must be filled in';
  let values: Readonly<Record<string, string>> = {};
  for (;;) {
    const panel = terminal
      .panel('FORM', 'Transfer order')
      .text(4, 2, 'From account * . . (8 digits)', { colour: 'green' })
      .input('from', 4, 40, {
        length: 8,
        value: values.from ?? '',
        numeric: true,
        highlighting: 'underscore',
        validation: validations.mandatoryFill,
      })
      .text(6, 2, 'Amount *  . . . . .', { colour: 'green' })
      .input('amount', 6, 40, { length: 12, value: values.amount ?? '', numeric: true, highlighting: 'underscore' })
      .text(8, 2, 'Date *  . . . . . . (YYYY-MM-DD)', { colour: 'green' })
      .input('date', 8, 40, { length: 10, value: values.date ?? '', highlighting: 'underscore' })
      .text(10, 2, 'Remark  . . . . . .', { colour: 'green' })
      .input('remark', 10, 40, { length: 35, value: values.remark ?? '', highlighting: 'underscore' })
      .footed(message, 'ENTER=Check   F3=Menu');
    const { key, fields } = await terminal.show(panel);
    if (key === 'pf3') return 'MENU';
    values = key === 'clear' ? {} : fields;
    message = key === 'clear' ? '' : (faultOf(fields) ?? 'The order is complete');
  }
};

function faultOf({ from = '', amount = '', date = '' }: Readonly<Record<string, string>>): string | undefined {
  if (!/^\d{8}$/.test(from)) return 'From account: eight digits';
  if (!/^\d{1,9}(\.\d\d)?$/.test(amount) || Number(amount) === 0) return 'Amount: more than nothing, e.g. 12.50';
  const parsed = /^\d{4}-\d\d-\d\d$/.test(date) ? new Date(`${date}T00:00:00Z`) : undefined;
  const isDate = parsed !== undefined && !Number.isNaN(parsed.valueOf()) && parsed.toISOString().startsWith(date);
  return isDate ? undefined : 'Date: a day of the calendar, e.g. 2026-11-21';
}
