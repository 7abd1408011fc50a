import type { RenderContext } from '../render-context.js';
import { bare, type Tag, type TagFamily, withString } from '../template-builder.js';

const MOST_SECONDS = 86_400;

export const sessionTags: TagFamily = {
  'SESSION-CODE': bare((builder) => {
    builder.uses.sessionCode = true;
    builder.insertKey((context) => context.sessionCode);
  }),
  'AJAX-SESSION-CODE': inserting((context) => context.ajaxSessionCode),
  'VIRPLEX-CODE': inserting((context) => context.prefixCode),
  'USER-SIGNON-CODE': inserting((context) => context.userSignonCode),
  'SECURITY-TOKEN': inserting((context) => context.securityToken),
  'SET-INITIAL-TIMEOUT': withString((builder, tag) => {
    const seconds = /^\d{1,6}$/.test(tag.strings[0] ?? '') ? Number(tag.strings[0]) : 0;
    if (seconds < 1 || seconds > MOST_SECONDS) {
      builder.report(tag.offset, `${tag.name} takes seconds, from 1 to ${MOST_SECONDS}`);
    } else {
      builder.uses.initialTimeoutSeconds = seconds;
    }
  }),
};

function inserting(textIn: (context: RenderContext) => string | undefined): Tag {
  return bare((builder) => builder.insertKey(textIn));
}
