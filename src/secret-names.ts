const SECRET_NAME = /pass|pwd|(?:^|[^a-z])pin|pin$|key|secret|token|credential|sesskey|svcsession|ajaxsession|signon/i;

/** Whether values under this name (a parameter's, a variable's) are kept out of logs and traces. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}
