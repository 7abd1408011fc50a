import { attentionKeyName } from '../attention-key-name.js';
import {
  type Tag,
  type TagFamily,
  type TemplateBuilder,
  withList,
  withListAndString,
  withString,
} from '../template-builder.js';
import { fieldNameOf } from './screen-fields.js';

const fieldAttributes: ReadonlySet<string> = new Set([
  'USERNAME',
  'PASSWORD',
  'NEW-PASSWORD',
  'HEX',
  'BASE64',
  'ENCRYPTED',
  'CRYPTO-SESSION-KEY',
]);

/** Specification 2.5, reference 2.3 and 2.9: declarations without output; the session reads them from `uses`. */
export const fieldDeclarationTags: TagFamily = {
  'DEFINE-HTML-PFKEY': fieldTag((builder, field) => {
    builder.uses.attentionKeyField = field;
  }),
  'DEFINE-HTML-FOCUS-FIELD': fieldTag((builder, field) => {
    builder.uses.focusField = field;
  }),
  'DEFINE-CURSOR-POSITION-FIELD': fieldTag((builder, field) => {
    builder.uses.cursorField = field;
  }),
  'VALID-PFKEYS': keyListTag((builder, keys) => {
    builder.uses.validKeys = keys;
  }),
  'INVALID-PFKEYS': keyListTag((builder, keys) => {
    builder.uses.invalidKeys = keys;
  }),
  'DECLARE-FIELD-AS': withListAndString((builder, tag) => {
    const attributes = tag.parameters ?? [];
    const unknown = attributes.find((attribute) => !fieldAttributes.has(attribute));
    if (unknown !== undefined)
      return builder.report(tag.offset, `${tag.name}: ${unknown} is not one of ${[...fieldAttributes].join(', ')}`);
    const field = fieldNameOf(builder, tag);
    if (field === undefined) return;
    builder.uses.declaredFields.push({ field, attributes });
    if (attributes.includes('CRYPTO-SESSION-KEY')) builder.uses.sessionKeyField = field;
  }),
};

function fieldTag(declare: (builder: TemplateBuilder, field: string) => void): Tag {
  return withString((builder, tag) => {
    const field = fieldNameOf(builder, tag);
    if (field !== undefined) declare(builder, field);
  });
}

function keyListTag(declare: (builder: TemplateBuilder, keys: string[]) => void): Tag {
  return withList((builder, tag) => {
    const keys: string[] = [];
    for (const written of tag.parameters ?? []) {
      const key = attentionKeyName(written);
      if (key === undefined) builder.report(tag.offset, `${tag.name}: ${written} is not an attention key`);
      else keys.push(key);
    }
    declare(builder, keys);
  });
}
