import type { Role, SecurityUser } from '../../access/users/user-store.js';
import type { Detail, Language } from '../../lib/locale.js';
import type { MacroService } from '../../macros/macro-service.js';
import type { ConsoleStream, ConsoleTopic } from '../console/console-streams.js';
import type { ClientRequest } from '../http/client-request.js';
import type { ClientSite } from '../http/client-site.js';
import type { ErrorHeaders } from '../http/error-response.js';
import type { OperationRequest } from '../operation/operation-request.js';
import type { PortalWording } from '../words/portal-wording.js';

/** Values of the variables of a page, by their names in upper case. */
export type PageVariables = Readonly<Record<string, readonly string[] | undefined>>;

/** A request to a page of the portal from somebody who may make it. */
export interface PortalRequest extends OperationRequest {
  readonly site: ClientSite;
  /** Pages of this line that are told as they change. */
  readonly topics: ReadonlyMap<string, ConsoleTopic>;
  readonly macros: MacroService;
  readonly user: SecurityUser;
  /** The user as of then; undefined: the sign-on is over. Does not count as something that the user does. */
  readonly current: () => Promise<SecurityUser | undefined>;
  /** The first value of a field of the form; undefined where the form has none, or there is no form. */
  readonly typed: (name: string) => string | undefined;
  /** The same; empty where there is none. */
  readonly field: (name: string) => string;
  /** All fields of the form, for those whose names are not known before. */
  readonly fields: ReadonlyMap<string, readonly string[]>;
  /** The uploaded file; undefined where none was chosen. */
  readonly file: Buffer | undefined;
  readonly request: ClientRequest;
  /** In the language of the page. */
  readonly words: PortalWording;
}

/** What a page needs that shows everybody of a role the same. */
export type PageView = Pick<PortalRequest, 'site' | 'portal' | 'macros' | 'query' | 'words'>;

/** What the portal answers with. */
export type PortalOutcome =
  | {
      readonly kind: 'page';
      /** Of templates/portal: a title and what stands in the frame, or a whole document. */
      readonly page: string;
      readonly variables: PageVariables;
      /** 200 where it is not given. */
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
  /** A file that is made while it is sent. */
  | {
      readonly kind: 'download';
      readonly pieces: AsyncIterable<string>;
      /** Nobody wants it any more. */
      close(): void;
      readonly contentType: string;
      readonly fileName: string;
    }
  | { readonly kind: 'file'; readonly bytes: Buffer; readonly contentType: string; readonly fileName: string };

export type AnswerPortalRequest = (request: PortalRequest) => PortalOutcome | Promise<PortalOutcome>;

/** A page of the portal, or what one of its forms does. */
export interface PortalRoute {
  readonly method: 'GET' | 'POST';
  /** `/users/:name`: what begins with a colon stands for one name. */
  readonly path: string;
  /** The least role that may do it. */
  readonly role: Role;
  /** What a form sends: fields, or fields and a file. */
  readonly takes?: 'fields' | 'upload';
  readonly answer: AnswerPortalRequest;
  /** Of a POST: the page that its form stands on, which is shown again, with what was typed, where it is refused. */
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
  /** What is destroyed, and what is not. */
  readonly facts: readonly (string | ForeignFact)[];
  /** Address that the form is sent to. */
  readonly action: string;
  /** Undefined: it cannot be done, as the facts say. */
  readonly button: string | undefined;
  readonly back: string;
  /** Tag of what the page speaks of. */
  readonly seen?: string;
  /** False: what is there now can be had again. */
  readonly destroys?: boolean;
}

/** A reason in the language of the page, or the text of another program. */
export function factOf(detail: Detail, words: PortalWording): string | ForeignFact {
  const language = words.languageOf(detail);
  const text = words.detail(detail);
  return language === words.language ? text : { text, language };
}

/** The page that stands before what cannot simply be taken back. */
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
