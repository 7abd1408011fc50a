import type { ScreenCondition } from '../../../../src/tn3270/screen/screen-condition.js';
import { operatorErrorWords } from '../../model/operator-error-words.js';
import { words } from '../../words/words.js';

export function conditionWords(condition: ScreenCondition, quoted: (text: string) => string): string {
  if ('text' in condition) {
    const { column, area } = condition;
    const row = rowWords(condition.row);
    const text = quoted(condition.text);
    if (area !== undefined) {
      const [first, left, last, right] = area;
      return words('condition.area', { text, first: rowWords(first), left, last: rowWords(last), right });
    }
    if (condition.row === undefined) return text;
    return column === undefined
      ? words('condition.row', { text, row })
      : words('condition.place', { text, row, column });
  }
  if ('not' in condition) return words('condition.not', { what: conditionWords(condition.not, quoted) });
  if ('fields' in condition) return words('condition.fields', { count: condition.fields });
  if ('inputFields' in condition) return words('condition.inputFields', { count: condition.inputFields });
  if ('cursor' in condition) {
    const [row, column] = condition.cursor;
    return words('condition.cursor', { row: rowWords(row), column });
  }
  if ('blank' in condition) return words('condition.blank');
  const [row, column] = condition.attribute.at;
  return words('condition.attribute', { row: rowWords(row), column });
}

function rowWords(row: number | undefined): string {
  if (row === undefined) return '';
  return row < 0 ? words('condition.bottom', { row: -row }) : String(row);
}

export function operatorErrorReason(error: string): string {
  const reason = operatorErrorWords(error)[1];
  return reason.charAt(0).toLowerCase() + reason.slice(1);
}
