/**
 * All errors in responses of the server. Only `web/error-response.ts` converts them to HTTP responses.
 * `docs/run/errors.md` describes every code, and a test compares the two.
 *
 * `KO`, an answer record that starts with `1`, and the NOT-FOUND condition of a scenario are values, not errors.
 */
interface ErrorDescription {
  readonly status: number;
  readonly message: string;
  /** True if clients may see the detail. Otherwise it is only logged. */
  readonly exposed: boolean;
}

export const errorCatalogue = {
  SVC_ERR_REQUEST_SYNTAX: { status: 400, message: 'The request is not valid HTTP.', exposed: false },
  SVC_ERR_REQUEST_CONNECTION: {
    status: 400,
    message: 'The Connection header names a header that must reach the server.',
    exposed: false,
  },
  SVC_ERR_REQUEST_PATH: { status: 400, message: 'The path of the request is malformed.', exposed: true },
  SVC_ERR_REQUEST_ENCODING: {
    status: 400,
    message: 'The percent-encoding of the request is malformed.',
    exposed: true,
  },
  SVC_ERR_REQUEST_PARAMETERS: {
    status: 400,
    message: 'The request parameters are invalid.',
    exposed: true,
  },
  SVC_ERR_REQUEST_METHOD: { status: 405, message: 'This method is not allowed here.', exposed: true },
  SVC_ERR_REQUEST_ORIGIN: { status: 403, message: 'The request comes from a page of another site.', exposed: false },
  SVC_ERR_REQUEST_HOST: { status: 421, message: 'This host name is not served here.', exposed: false },
  SVC_ERR_REQUEST_SLOW: { status: 408, message: 'The request did not arrive in time.', exposed: false },
  SVC_ERR_REQUEST_BODY_SIZE: { status: 413, message: 'The body of the request is too large.', exposed: true },
  SVC_ERR_REQUEST_BODY: { status: 400, message: 'The body of the request is malformed.', exposed: true },
  SVC_ERR_REQUEST_BODY_TYPE: {
    status: 415,
    message: 'The type or encoding of the request body is not supported.',
    exposed: true,
  },
  SVC_ERR_REQUEST_URL_LENGTH: { status: 414, message: 'The URL of the request is too long.', exposed: true },
  SVC_ERR_REQUEST_HEADER_SIZE: { status: 431, message: 'The headers of the request are too large.', exposed: true },
  SVC_ERR_TEMPLATE_UNKNOWN: { status: 404, message: 'There is no such page.', exposed: true },
  SVC_ERR_TEMPLATE_BROKEN: { status: 500, message: 'The service failed.', exposed: false },
  SVC_ERR_TEMPLATE_RENDERING: { status: 500, message: 'The service failed.', exposed: false },
  SVC_ERR_TRANSACTION_UNKNOWN: { status: 404, message: 'There is no such transaction.', exposed: true },
  SVC_ERR_TRANSACTION_SECURED: { status: 403, message: 'This transaction needs a sign-on.', exposed: true },
  SVC_ERR_TRANSACTION_UNAVAILABLE: { status: 404, message: 'This transaction is not served here.', exposed: true },
  SVC_ERR_SESSION_UNKNOWN: { status: 404, message: 'There is no such session, or it has ended.', exposed: false },
  SVC_ERR_PRINT_UNKNOWN: { status: 404, message: 'There is no such document.', exposed: true },
  SVC_ERR_TRANSFER_OFF: { status: 403, message: 'No files are transferred in this session.', exposed: true },
  SVC_ERR_TRANSFER_BUSY: { status: 503, message: 'Too many files are being transferred.', exposed: true },
  SVC_ERR_TRANSFER_CANCELLED: { status: 409, message: 'The transfer was cancelled.', exposed: true },
  SVC_ERR_TRANSFER_FAILED: { status: 409, message: 'The file was not transferred.', exposed: true },
  SVC_ERR_NODE_GONE: {
    status: 404,
    message: 'The server that had this session is gone, and the session with it. Please begin another one.',
    exposed: false,
  },
  SVC_ERR_NODE_UNKNOWN: { status: 404, message: 'There is no such server in the cluster.', exposed: true },
  SVC_ERR_NODE_UNREACHABLE: {
    status: 503,
    message: 'The server that this is for cannot be reached at the moment. Please try again.',
    exposed: false,
  },
  SVC_ERR_NODE_LATE: {
    status: 504,
    message: 'The server that this is for has not answered in time. Please try again.',
    exposed: false,
  },
  SVC_ERR_SESSION_LIMIT: {
    status: 503,
    message: 'No more sessions can be started at the moment. Please try again.',
    exposed: true,
  },
  SVC_ERR_LINE_DRAINED: {
    status: 503,
    message: 'No new sessions can be started here at the moment. Please try again later.',
    exposed: false,
  },
  SVC_ERR_SUBMIT_SCREEN: {
    status: 409,
    message: 'The screen has changed, so the key was not pressed. Nothing was sent to the host.',
    exposed: true,
  },
  SVC_ERR_SUBMIT_REVISION: {
    status: 400,
    message: 'X-Svc-Revision must be the revision of a screen of this session.',
    exposed: true,
  },
  SVC_ERR_SUBMIT_FIELD: { status: 400, message: 'A field does not accept the value sent for it.', exposed: true },
  SVC_ERR_SUBMIT_KEY: { status: 400, message: 'This page does not accept the attention key.', exposed: true },
  SVC_ERR_SUBMIT_NUMBER: {
    status: 400,
    message: 'The request identifier is malformed or out of sequence.',
    exposed: true,
  },
  SVC_ERR_SUBMIT_TYPE: {
    status: 415,
    message: 'A submit must have the content type application/x-www-form-urlencoded.',
    exposed: true,
  },
  SVC_ERR_CRYPTO_REFUSED: {
    status: 400,
    message: 'The encrypted fields could not be read. Please enter them again.',
    exposed: false,
  },
  SVC_ERR_HOST_DEVICE: { status: 406, message: 'The logical unit is in use or not available.', exposed: true },
  SVC_ERR_HOST_REFUSED: {
    status: 502,
    message: 'The host could not be reached, or ended the session.',
    exposed: false,
  },
  SVC_ERR_HOST_PROTOCOL: {
    status: 502,
    message: 'Either the server or the host uses TLS, but not both. Please tell your administrator.',
    exposed: false,
  },
  SVC_ERR_HOST_SILENT: { status: 504, message: 'The host has not answered yet.', exposed: false },
  SVC_ERR_HOST_FAULTY: {
    status: 502,
    message: 'The host sent data that cannot be displayed. Your input was not entered.',
    exposed: true,
  },
  SVC_ERR_SIGNON_NEEDED: { status: 401, message: 'Sign on with your user id and your password.', exposed: true },
  SVC_ERR_SIGNON_REFUSED: {
    status: 401,
    message: 'The user id or the password is wrong, or the user may not sign on.',
    exposed: false,
  },
  SVC_ERR_SIGNON_LIMIT: {
    status: 429,
    message: 'Too many sign-ons have failed. Please try again later.',
    exposed: false,
  },
  SVC_ERR_SIGNON_REPLACED: {
    status: 401,
    message: 'Your sign-on has ended: too many were open, and a newer one replaced it. Sign on again.',
    exposed: true,
  },
  SVC_ERR_SIGNON_ROLE: { status: 403, message: 'This user is not allowed to do that.', exposed: true },
  SVC_ERR_SECURITY_UNAVAILABLE: {
    status: 503,
    message: 'Users cannot be checked at the moment. Please try again.',
    exposed: false,
  },
  SVC_ERR_SECURITY_CHANGE: {
    status: 400,
    message: 'This change of users, groups or tokens is not possible.',
    exposed: true,
  },
  SVC_ERR_FILE_BUSY: {
    status: 503,
    message: 'Too many changes are being made at the moment. Please try again.',
    exposed: false,
  },
  SVC_ERR_AUDIT_UNAVAILABLE: {
    status: 503,
    message: 'The audit trail cannot be written, so nothing was changed. The log says why.',
    exposed: false,
  },
  SVC_ERR_AUDIT_PACE: {
    status: 429,
    message: 'Too many changes were requested within a minute. Please try again later.',
    exposed: false,
  },
  SVC_ERR_STORE_UNAVAILABLE: {
    status: 503,
    message: 'What is stored cannot be read or changed at the moment. Please try again.',
    exposed: false,
  },
  SVC_ERR_LINE_UNKNOWN: { status: 404, message: 'There is no such line.', exposed: true },
  SVC_ERR_LINE_REFUSED: { status: 409, message: 'This is not possible with the line at the moment.', exposed: true },
  SVC_ERR_CONFIGURATION_REFUSED: {
    status: 409,
    message: 'The new configuration was not applied. The server continues with the previous one.',
    exposed: true,
  },
  SVC_ERR_MACRO_UNCONFIGURED: {
    status: 404,
    message: 'Centralized macro directories are not configured.',
    exposed: true,
  },
  SVC_ERR_MACRO_DIRECTORY: { status: 404, message: 'There is no such macro directory.', exposed: true },
  SVC_ERR_MACRO_KEY: {
    status: 404,
    message:
      'The directory key does not exist, has expired, belongs to another user, or was issued before the group, the user or the password changed.',
    exposed: false,
  },
  SVC_ERR_MACRO_CONTENT: { status: 400, message: 'The macro file is invalid.', exposed: true },
  SVC_ERR_MACRO_TYPE: { status: 415, message: 'The type of the upload is not supported.', exposed: true },
  SVC_ERR_MACRO_SIZE: { status: 413, message: 'The macro file is too large.', exposed: true },
  SVC_ERR_MACRO_CHANGED: {
    status: 412,
    message: 'The macros have been changed in the meantime. Read them again first.',
    exposed: true,
  },
  SVC_ERR_SETTINGS_CONTENT: { status: 400, message: 'The terminal settings are invalid.', exposed: true },
  SVC_ERR_SETTINGS_CHANGED: {
    status: 412,
    message: 'The settings have been changed in the meantime. Read them again first.',
    exposed: true,
  },
  SVC_ERR_RECORDING_CONTENT: { status: 400, message: 'This is not a valid service.', exposed: true },
  SVC_ERR_CHECK_COMPLEX: {
    status: 422,
    message: 'This text is too complex to be checked. Make it simpler or shorter.',
    exposed: true,
  },
  SVC_ERR_CHECK_BUSY: {
    status: 503,
    message: 'Too many texts are waiting to be checked. Please try again.',
    exposed: true,
  },
  SVC_ERR_DRAFTS_FULL: {
    status: 409,
    message: 'Too many services are waiting to be published. Ask an administrator to review them.',
    exposed: true,
  },
  SVC_ERR_PUBLICATION_REFUSED: { status: 409, message: 'The service was not published.', exposed: true },
  SVC_ERR_PUBLICATION_CHANGED: {
    status: 412,
    message: 'The services folder has changed since this page was shown. Review the changes again.',
    exposed: true,
  },
  SVC_ERR_PUBLICATION_FAILED: {
    status: 503,
    message: 'The services folder cannot be written; the log says why. Nothing was published.',
    exposed: true,
  },
  SVC_ERR_DRAFT_UNKNOWN: { status: 404, message: 'This draft does not exist any more.', exposed: true },
  SVC_ERR_SCENARIO_REFUSED: { status: 400, message: 'The scenario refused the request.', exposed: true },
  SVC_ERR_SCENARIO_UNAVAILABLE: { status: 500, message: 'The service failed.', exposed: false },
  SVC_ERR_SCENARIO_ABENDED: { status: 500, message: 'The service failed.', exposed: false },
  SVC_ERR_SCENARIO_LOOP: { status: 500, message: 'The service failed.', exposed: false },
  SVC_ERR_SCENARIO_LIMIT: { status: 500, message: 'The service failed.', exposed: false },
  SVC_ERR_SCENARIO_TIME: { status: 504, message: 'The service did not answer in time.', exposed: false },
  SVC_ERR_TOKEN_NEEDED: { status: 401, message: 'A valid bearer token is required.', exposed: true },
  SVC_ERR_TOKEN_SCOPE: { status: 403, message: 'This caller is not allowed to do that.', exposed: true },
  SVC_ERR_SERVICE_UNKNOWN: { status: 404, message: 'There is no such service for this caller.', exposed: true },
  SVC_ERR_SERVICE_PARAMETERS: { status: 422, message: 'The parameters or steps are invalid.', exposed: true },
  SVC_ERR_GUARD_FAILED: {
    status: 409,
    message: 'The host application shows another screen than expected. Nothing was typed on it.',
    exposed: true,
  },
  SVC_ERR_INPUT_REFUSED: { status: 409, message: 'The screen does not accept the input.', exposed: true },
  SVC_ERR_INPUT_WITHHELD: {
    status: 409,
    message: 'A scenario of the transaction withheld the key. The host did not receive it.',
    exposed: true,
  },
  SVC_ERR_HOST_GONE: { status: 502, message: 'The host has ended the session.', exposed: false },
  SVC_ERR_HOST_UNREACHABLE: { status: 503, message: 'The host cannot be reached.', exposed: false },
  SVC_ERR_SCREEN_FAULT: { status: 502, message: 'The host sent a record that cannot be carried out.', exposed: true },
  SVC_ERR_SCREEN_UNREADABLE: {
    status: 502,
    message: "A value on the host's screen does not have the expected form.",
    exposed: true,
  },
  SVC_ERR_SCREEN_ROWS: {
    status: 502,
    message: 'The table of the host has more rows than the service reads.',
    exposed: true,
  },
  SVC_ERR_POOL_EMPTY: { status: 503, message: 'No session was free in time. Please try again.', exposed: false },
  SVC_ERR_POOL_DRAINED: {
    status: 503,
    message: 'The service takes no calls now. Please try again later.',
    exposed: false,
  },
  SVC_ERR_POOL_STOPPED: { status: 503, message: 'The service cannot sign on at its host.', exposed: false },
  SVC_ERR_CALL_OVERTIME: { status: 504, message: 'The call exceeded its time limit and was ended.', exposed: true },
  SVC_ERR_SESSION_BUSY: { status: 409, message: 'Another request is still using this session.', exposed: true },
  SVC_ERR_IDEMPOTENCY_KEY: { status: 400, message: 'The Idempotency-Key is invalid.', exposed: true },
  SVC_ERR_IDEMPOTENCY_REUSED: {
    status: 422,
    message: 'The Idempotency-Key was already used for another request.',
    exposed: true,
  },
  SVC_ERR_IDEMPOTENCY_RUNNING: {
    status: 409,
    message: 'The first request with this Idempotency-Key is still running.',
    exposed: true,
  },
  SVC_ERR_IDEMPOTENCY_UNKNOWN: {
    status: 409,
    message: 'The first request with this Idempotency-Key was interrupted. It may or may not have been carried out.',
    exposed: true,
  },
  SVC_ERR_IDEMPOTENCY_FULL: {
    status: 503,
    message: 'No more answers can be stored at the moment. Nothing was done.',
    exposed: false,
  },
  SVC_ERR_MESSAGE_CONTENT: { status: 400, message: 'The message cannot be displayed.', exposed: true },
  SVC_ERR_POOL_UNKNOWN: { status: 404, message: 'There is no such pool.', exposed: true },
  SVC_ERR_TRACE_UNKNOWN: { status: 404, message: 'There is no such trace.', exposed: true },
  SVC_ERR_TRACE_SUBJECT: { status: 404, message: 'There is nothing of that name to trace.', exposed: true },
  SVC_ERR_OPERATION_REFUSED: { status: 409, message: 'This is not possible at the moment.', exposed: true },
  SVC_ERR_SERVICE_BUSY: { status: 503, message: 'The service is busy. Please try again.', exposed: false },
  SVC_ERR_SERVICE_STOPPING: { status: 503, message: 'The service is stopping. Please try again.', exposed: false },
  SVC_ERR_SERVICE_FAILED: { status: 500, message: 'The service failed.', exposed: false },
} as const satisfies Record<string, ErrorDescription>;

export type ErrorCode = keyof typeof errorCatalogue;

interface ServiceErrorOptions {
  /** For the log. Clients see it only if `exposed`. */
  readonly detail?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  readonly detail: string | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, options: ServiceErrorOptions = {}) {
    const { message } = errorCatalogue[code];
    super(options.detail === undefined ? message : `${message} ${options.detail}`, { cause: options.cause });
    this.code = code;
    this.detail = options.detail;
    this.headers = options.headers ?? {};
  }

  get description(): ErrorDescription {
    return errorCatalogue[this.code];
  }
}
