export type Values = Readonly<Record<string, string | number>>;

/** A key of a catalogue with the values of its parameters. A value can be another one, or a list of them. */
export interface TextWithValues<Key extends string> {
  readonly code: Key;
  readonly values?:
    | Readonly<Record<string, string | number | TextWithValues<Key> | readonly TextWithValues<Key>[]>>
    | undefined;
}

/** Replaces `{name}` by the value of that name. A placeholder without a value stays. */
export function filled(text: string, values: Values = {}): string {
  return filledBy(text, (name) => values[name]);
}

export function filledBy(text: string, valueNamed: (name: string) => string | number | undefined): string {
  return text.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => String(valueNamed(name) ?? placeholder));
}

/** @param textOf the text of a key with its placeholders filled in */
export function nestedText<Key extends string>(
  { code, values = {} }: TextWithValues<Key>,
  textOf: (key: Key, values: Values) => string,
): string {
  const texts = Object.entries(values).map(([name, value]): [string, string | number] => {
    if (typeof value !== 'object') return [name, value];
    const inner = 'code' in value ? [value] : value;
    return [name, inner.map((one) => nestedText(one, textOf)).join(' ')];
  });
  return textOf(code, Object.fromEntries(texts));
}

/** The form of a text for a number (`KEY.one`, `KEY.other` …), or the text without forms. Placeholders stay. */
export function textForm(
  words: Readonly<Record<string, string>>,
  plurals: Intl.PluralRules,
  key: string,
  count: unknown,
): string {
  const form = typeof count === 'number' ? words[`${key}.${plurals.select(count)}`] : undefined;
  return form ?? words[key] ?? words[`${key}.other`] ?? key;
}
