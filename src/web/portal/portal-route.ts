import type { Role, SecurityUser } from '../../access/users/user-store.js';
import type { Detail, Language } from '../../lib/locale.js';
import type { MacroService } from '../../macros/macro-service.js';
import type { ConsoleStream, ConsoleTopic } from '../console/console-streams.js';
import type { ClientRequest } from '../http/client-request.js';
import type { ClientSite } from '../http/client-site.js';
import type { ErrorHeaders } from '../http/error-response.js';
import type { OperationRequest } from '../operation/operation-request.js';
import type { PortalWording } from '../words/portal-wording.js';

/** Values of the variables of a page, by upper-case name. */
export type PageVariables = Readonly<Record<string, readonly string[] | undefined>>;

/** A permitted request to a page of the portal. */
export interface PortalRequest extends OperationRequest {
  readonly site: ClientSite;
  /** Topics of live pages of this line. */
  readonly topics: ReadonlyMap<string, ConsoleTopic>;
  readonly macros: MacroService;
  readonly user: SecurityUser;
  /** The user with current data; undefined if the sign-on has ended. Does not extend the sign-on. */
  readonly current: () => Promise<SecurityUser | undefined>;
  /** The first value of a form field; undefined if the field or the form is missing. */
  readonly typed: (name: string) => string | undefined;
  /** The same; empty if it is missing. */
  readonly field: (name: string) => string;
  /** All fields of the form, for fields whose names depend on the page. */
  readonly fields: ReadonlyMap<string, readonly string[]>;
  /** The uploaded file; undefined if no file was chosen. */
  readonly file: Buffer | undefined;
  readonly request: ClientRequest;
  /** In the language of the page. */
  readonly words: PortalWording;
}

/** The data of a page that is the same for all users of a role. */
export type PageView = Pick<PortalRequest, 'site' | 'portal' | 'macros' | 'query' | 'words'>;

/** The answer of the portal. */
export type PortalOutcome =
  | {
      readonly kind: 'page';
      /** Of templates/portal: a title and the content of the frame, or a complete document. */
      readonly page: string;
      readonly variables: PageVariables;
      /** Default: 200. */
      readonly status?: number;
      readonly headers?: ErrorHeaders;
    }
  | {
      readonly kind: 'redirect';
      /** A path of the portal, its names percent-encoded. */
      readonly to: string;
      readonly cookie?: string;
    }
  /** Events for a page that stays open. */
  | { readonly kind: 'stream'; readonly stream: ConsoleStream }
  /** A file that is generated while it is sent. */
  | {
      readonly kind: 'download';
      readonly pieces: AsyncIterable<string>;
      /** Call if the file is no longer needed. */
      close(): void;
      readonly contentType: string;
      readonly fileName: string;
    }
  | { readonly kind: 'file'; readonly bytes: Buffer; readonly contentType: string; readonly fileName: string };

export type AnswerPortalRequest = (request: PortalRequest) => PortalOutcome | Promise<PortalOutcome>;

/** A page of the portal, or the operation of a form. */
export interface PortalRoute {
  readonly method: 'GET' | 'POST';
  /** `/users/:name`: a part that begins with a colon matches one name. */
  readonly path: string;
  /** Minimum role. */
  readonly role: Role;
  /** Content of the form: fields, or fields and a file. */
  readonly takes?: 'fields' | 'upload';
  readonly answer: AnswerPortalRequest;
  /** For a POST: the page with the form. It is shown again, with the typed values, if the form is refused. */
  readonly form?: AnswerPortalRequest;
  readonly reply?: DeclaredReply | undefined;
  readonly live?: LiveView | undefined;
}

/** For docs/run/access.md: the status, if it is not 200 for pages and 303 for forms, and a note. */
export interface DeclaredReply {
  readonly status?: number;
  /** Status without a sign-on, if it is not 401. */
  readonly withoutSignOn?: number;
  readonly note?: string;
}

/** Sends sections of a page as they change, to the role of the page. */
export interface LiveView {
  readonly topic: string;
  readonly view: (view: PageView) => PortalOutcome | Promise<PortalOutcome>;
}

/** A sentence in another language than the page, such as the error of another program. */
interface ForeignFact {
  readonly text: string;
  readonly language: Language;
}

interface Confirmation {
  readonly title: string;
  /** The effects, including what is kept. */
  readonly facts: readonly (string | ForeignFact)[];
  /** Target address of the form. */
  readonly action: string;
  /** Undefined if the operation is not possible; the facts give the reason. */
  readonly button: string | undefined;
  readonly back: string;
  /** Tag of the object on the page. */
  readonly seen?: string;
  /** False if the current state can be restored. */
  readonly destroys?: boolean;
}

/** A reason in the language of the page, or the text of another program. */
export function factOf(detail: Detail, words: PortalWording): string | ForeignFact {
  const language = words.languageOf(detail);
  const text = words.detail(detail);
  return language === words.language ? text : { text, language };
}

/** The page that asks for confirmation before an operation. */
export function confirmation({
  title,
  facts,
  action,
  button,
  back,
  seen,
  destroys = true,
}: Confirmation): PortalOutcome {
  return {
    kind: 'page',
    page: 'CONFIRMATION.HTML',
    variables: {
      $TITLE$: [title],
      $FACT$: facts.map((fact) => (typeof fact === 'string' ? fact : fact.text)),
      '$FACT-LANGUAGE$': facts.map((fact) => (typeof fact === 'string' ? '' : fact.language)),
      $ACTION$: [action],
      $BUTTON$: button === undefined ? undefined : [button],
      '$BUTTON-CLASS$': [destroys ? 'danger' : 'primary'],
      $BACK$: [back],
      $SEEN$: seen === undefined ? undefined : [seen],
    },
  };
}
