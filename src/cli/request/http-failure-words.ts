/** What a failed connection means, in words for the one who sent the request. */
export function httpFailureWords(error: NodeJS.ErrnoException, url: URL): string {
  const host = url.hostname;
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  const code = error.code ?? '';
  const words: Readonly<Record<string, string>> = {
    ECONNREFUSED: `Connection refused: nothing listens at ${host} port ${port}. Is Sallyport running?`,
    ENOTFOUND: `Unknown host: no address is known for ${host}.`,
    EAI_AGAIN: `Unknown host: the name service gave no answer for ${host}.`,
    EHOSTUNREACH: `No way to ${host}: the network cannot reach it.`,
    ENETUNREACH: `No way to ${host}: the network cannot reach it.`,
    ETIMEDOUT: `No answer from ${host} port ${port}: the connection timed out.`,
    ECONNRESET: `The connection was closed before the answer was complete.`,
    EPIPE: `The connection was closed before the answer was complete.`,
    HPE_HEADER_OVERFLOW: 'The headers of the answer are too large.',
    EPROTO: `${host} port ${port} does not speak TLS. Is it an http line?`,
    ERR_SSL_WRONG_VERSION_NUMBER: `${host} port ${port} does not speak TLS. Is it an http line?`,
    ERR_TLS_CERT_ALTNAME_INVALID: `The certificate of ${host} is for another name.`,
    CERT_HAS_EXPIRED: `The certificate of ${host} has expired.`,
  };
  const known = words[code];
  if (known !== undefined) return known;
  if (/SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER)/.test(code)) {
    return `The certificate of ${host} is not trusted (${code}). Name its authority with --ca FILE.`;
  }
  if (code.startsWith('HPE_')) return `${host} port ${port} did not answer in HTTP (${code}).`;
  return `The request failed: ${error.message}`;
}
