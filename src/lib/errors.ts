import {
  type Detail,
  detailText,
  isForeign,
  type Language,
  locales,
  type PublicDetail,
  publicDetail,
} from './locale.js';

/**
 * All errors in responses of the server. Only `web/http/error-response.ts` converts them to HTTP responses.
 * `docs/run/errors.md` describes every code, and a test compares the two.
 *
 * `KO`, an answer record that starts with `1`, and the NOT-FOUND condition of a scenario are values, not errors.
 */
interface ErrorDescription {
  readonly status: number;
  /** True if clients may see the detail. Otherwise it is only logged. */
  readonly exposed: boolean;
}

/** Codes with their statuses. The messages are in `locales/*.json`, section `errors`. */
export const errorCatalogue = {
  SVC_ERR_REQUEST_SYNTAX: { status: 400, exposed: false },
  SVC_ERR_REQUEST_CONNECTION: { status: 400, exposed: false },
  SVC_ERR_REQUEST_PATH: { status: 400, exposed: true },
  SVC_ERR_REQUEST_ENCODING: { status: 400, exposed: true },
  SVC_ERR_REQUEST_PARAMETERS: { status: 400, exposed: true },
  SVC_ERR_REQUEST_METHOD: { status: 405, exposed: true },
  SVC_ERR_REQUEST_ORIGIN: { status: 403, exposed: false },
  SVC_ERR_REQUEST_HOST: { status: 421, exposed: false },
  SVC_ERR_REQUEST_SLOW: { status: 408, exposed: false },
  SVC_ERR_REQUEST_BODY_SIZE: { status: 413, exposed: true },
  SVC_ERR_REQUEST_BODY: { status: 400, exposed: true },
  SVC_ERR_REQUEST_BODY_TYPE: { status: 415, exposed: true },
  SVC_ERR_REQUEST_URL_LENGTH: { status: 414, exposed: true },
  SVC_ERR_REQUEST_HEADER_SIZE: { status: 431, exposed: true },
  SVC_ERR_TEMPLATE_UNKNOWN: { status: 404, exposed: true },
  SVC_ERR_TEMPLATE_BROKEN: { status: 500, exposed: false },
  SVC_ERR_TEMPLATE_RENDERING: { status: 500, exposed: false },
  SVC_ERR_TRANSACTION_UNKNOWN: { status: 404, exposed: true },
  SVC_ERR_TRANSACTION_SECURED: { status: 403, exposed: true },
  SVC_ERR_TRANSACTION_UNAVAILABLE: { status: 404, exposed: true },
  SVC_ERR_SESSION_UNKNOWN: { status: 404, exposed: false },
  SVC_ERR_PRINT_UNKNOWN: { status: 404, exposed: true },
  SVC_ERR_TRANSFER_OFF: { status: 403, exposed: true },
  SVC_ERR_TRANSFER_BUSY: { status: 503, exposed: true },
  SVC_ERR_TRANSFER_CANCELLED: { status: 409, exposed: true },
  SVC_ERR_TRANSFER_FAILED: { status: 409, exposed: true },
  SVC_ERR_NODE_GONE: { status: 404, exposed: false },
  SVC_ERR_NODE_UNKNOWN: { status: 404, exposed: true },
  SVC_ERR_NODE_UNREACHABLE: { status: 503, exposed: false },
  SVC_ERR_NODE_LATE: { status: 504, exposed: false },
  SVC_ERR_SESSION_LIMIT: { status: 503, exposed: true },
  SVC_ERR_LINE_DRAINED: { status: 503, exposed: false },
  SVC_ERR_SUBMIT_SCREEN: { status: 409, exposed: true },
  SVC_ERR_SUBMIT_REVISION: { status: 400, exposed: true },
  SVC_ERR_SUBMIT_FIELD: { status: 400, exposed: true },
  SVC_ERR_SUBMIT_KEY: { status: 400, exposed: true },
  SVC_ERR_SUBMIT_NUMBER: { status: 400, exposed: true },
  SVC_ERR_SUBMIT_TYPE: { status: 415, exposed: true },
  SVC_ERR_CRYPTO_REFUSED: { status: 400, exposed: false },
  SVC_ERR_HOST_DEVICE: { status: 406, exposed: true },
  SVC_ERR_HOST_REFUSED: { status: 502, exposed: false },
  SVC_ERR_HOST_PROTOCOL: { status: 502, exposed: false },
  SVC_ERR_HOST_SILENT: { status: 504, exposed: false },
  SVC_ERR_HOST_FAULTY: { status: 502, exposed: false },
  SVC_ERR_SIGNON_NEEDED: { status: 401, exposed: true },
  SVC_ERR_SIGNON_REFUSED: { status: 401, exposed: false },
  SVC_ERR_SIGNON_LIMIT: { status: 429, exposed: false },
  SVC_ERR_SIGNON_REPLACED: { status: 401, exposed: true },
  SVC_ERR_SIGNON_ROLE: { status: 403, exposed: true },
  SVC_ERR_SECURITY_UNAVAILABLE: { status: 503, exposed: false },
  SVC_ERR_SECURITY_CHANGE: { status: 400, exposed: true },
  SVC_ERR_FILE_BUSY: { status: 503, exposed: false },
  SVC_ERR_AUDIT_UNAVAILABLE: { status: 503, exposed: false },
  SVC_ERR_AUDIT_PACE: { status: 429, exposed: false },
  SVC_ERR_STORE_UNAVAILABLE: { status: 503, exposed: false },
  SVC_ERR_LINE_UNKNOWN: { status: 404, exposed: true },
  SVC_ERR_LINE_REFUSED: { status: 409, exposed: true },
  SVC_ERR_CONFIGURATION_REFUSED: { status: 409, exposed: true },
  SVC_ERR_MACRO_UNCONFIGURED: { status: 404, exposed: true },
  SVC_ERR_MACRO_DIRECTORY: { status: 404, exposed: true },
  SVC_ERR_MACRO_KEY: { status: 404, exposed: false },
  SVC_ERR_MACRO_CONTENT: { status: 400, exposed: true },
  SVC_ERR_MACRO_TYPE: { status: 415, exposed: true },
  SVC_ERR_MACRO_SIZE: { status: 413, exposed: true },
  SVC_ERR_MACRO_CHANGED: { status: 412, exposed: true },
  SVC_ERR_SETTINGS_CONTENT: { status: 400, exposed: true },
  SVC_ERR_SETTINGS_CHANGED: { status: 412, exposed: true },
  SVC_ERR_RECORDING_CONTENT: { status: 400, exposed: true },
  SVC_ERR_CHECK_COMPLEX: { status: 422, exposed: true },
  SVC_ERR_CHECK_BUSY: { status: 503, exposed: true },
  SVC_ERR_DRAFTS_FULL: { status: 409, exposed: true },
  SVC_ERR_PUBLICATION_REFUSED: { status: 409, exposed: true },
  SVC_ERR_PUBLICATION_CHANGED: { status: 412, exposed: true },
  SVC_ERR_PUBLICATION_FAILED: { status: 503, exposed: true },
  SVC_ERR_DRAFT_UNKNOWN: { status: 404, exposed: true },
  SVC_ERR_SCENARIO_REFUSED: { status: 400, exposed: true },
  SVC_ERR_SCENARIO_UNAVAILABLE: { status: 500, exposed: false },
  SVC_ERR_SCENARIO_ABENDED: { status: 500, exposed: false },
  SVC_ERR_SCENARIO_LOOP: { status: 500, exposed: false },
  SVC_ERR_SCENARIO_LIMIT: { status: 500, exposed: false },
  SVC_ERR_SCENARIO_TIME: { status: 504, exposed: false },
  SVC_ERR_TOKEN_NEEDED: { status: 401, exposed: true },
  SVC_ERR_TOKEN_SCOPE: { status: 403, exposed: true },
  SVC_ERR_SERVICE_UNKNOWN: { status: 404, exposed: true },
  SVC_ERR_SERVICE_PARAMETERS: { status: 422, exposed: true },
  SVC_ERR_GUARD_FAILED: { status: 409, exposed: true },
  SVC_ERR_INPUT_REFUSED: { status: 409, exposed: true },
  SVC_ERR_INPUT_WITHHELD: { status: 409, exposed: true },
  SVC_ERR_HOST_GONE: { status: 502, exposed: false },
  SVC_ERR_HOST_UNREACHABLE: { status: 503, exposed: false },
  SVC_ERR_SCREEN_FAULT: { status: 502, exposed: true },
  SVC_ERR_SCREEN_UNREADABLE: { status: 502, exposed: true },
  SVC_ERR_SCREEN_ROWS: { status: 502, exposed: true },
  SVC_ERR_POOL_EMPTY: { status: 503, exposed: false },
  SVC_ERR_POOL_DRAINED: { status: 503, exposed: false },
  SVC_ERR_POOL_STOPPED: { status: 503, exposed: false },
  SVC_ERR_CALL_OVERTIME: { status: 504, exposed: true },
  SVC_ERR_SESSION_BUSY: { status: 409, exposed: true },
  SVC_ERR_IDEMPOTENCY_KEY: { status: 400, exposed: true },
  SVC_ERR_IDEMPOTENCY_REUSED: { status: 422, exposed: true },
  SVC_ERR_IDEMPOTENCY_RUNNING: { status: 409, exposed: true },
  SVC_ERR_IDEMPOTENCY_UNKNOWN: { status: 409, exposed: true },
  SVC_ERR_IDEMPOTENCY_FULL: { status: 503, exposed: false },
  SVC_ERR_MESSAGE_CONTENT: { status: 400, exposed: true },
  SVC_ERR_POOL_UNKNOWN: { status: 404, exposed: true },
  SVC_ERR_TRACE_UNKNOWN: { status: 404, exposed: true },
  SVC_ERR_TRACE_SUBJECT: { status: 404, exposed: true },
  SVC_ERR_OPERATION_REFUSED: { status: 409, exposed: true },
  SVC_ERR_SERVICE_BUSY: { status: 503, exposed: false },
  SVC_ERR_SERVICE_STOPPING: { status: 503, exposed: false },
  SVC_ERR_SERVICE_FAILED: { status: 500, exposed: false },
} as const satisfies Record<string, ErrorDescription>;

export type ErrorCode = keyof typeof errorCatalogue;

/** Characters. */
const LONGEST_PUBLIC_DETAIL = 300;

/** Clients never see the details of these errors. */
export type LoggedCode = {
  [Code in ErrorCode]: (typeof errorCatalogue)[Code]['exposed'] extends false ? Code : never;
}[ErrorCode];

interface ServiceErrorOptions<PossibleDetail> {
  readonly detail?: PossibleDetail | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** For a code that may be exposed: clients may read the detail, in their language. */
export type PublicErrorOptions = ServiceErrorOptions<PublicDetail>;

/** `message` is English, for logs. An answer looks up the words of its language: `messageIn`, `detailIn`. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  readonly headers: Readonly<Record<string, string>>;
  readonly #detail: Detail | undefined;

  /** The detail is only logged. */
  constructor(code: LoggedCode, options?: ServiceErrorOptions<Detail>);
  constructor(code: ErrorCode, options?: PublicErrorOptions);
  constructor(code: ErrorCode, { detail, headers, cause }: ServiceErrorOptions<Detail> = {}) {
    const english = locales.en.errors[code];
    super(detail === undefined ? english : `${english} ${detailText(detail, 'en')}`, { cause });
    this.code = code;
    this.headers = headers ?? {};
    this.#detail = detail;
  }

  get description(): ErrorDescription {
    return errorCatalogue[this.code];
  }

  /** In English. */
  get detail(): string | undefined {
    return this.detailIn('en');
  }

  messageIn(language: Language): string {
    return locales[language].errors[this.code];
  }

  /** @returns undefined if there is only the message */
  detailIn(language: Language): string | undefined {
    return this.#detail === undefined ? undefined : detailText(this.#detail, language);
  }

  /** The detail if clients may see it. */
  publicDetailIn(language: Language): string | undefined {
    return this.description.exposed ? this.detailIn(language)?.slice(0, LONGEST_PUBLIC_DETAIL) : undefined;
  }

  /** The message, and the detail if clients may see it. */
  publicTextIn(language: Language): string {
    const detail = this.publicDetailIn(language);
    const message = this.messageIn(language);
    return detail === undefined ? message : `${message} ${detail}`;
  }

  get hasForeignDetail(): boolean {
    return this.#detail !== undefined && isForeign(this.#detail);
  }

  /** For an error that is thrown again, here or in another thread. It can be cloned. */
  get givenDetail(): PublicDetail | undefined {
    return this.#detail === undefined ? undefined : publicDetail(this.#detail);
  }
}
