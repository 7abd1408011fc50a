const byExtension: Readonly<Record<string, string>> = {
  html: 'text/html',
  htm: 'text/html',
  xhtml: 'application/xhtml+xml',
  xml: 'text/xml',
  xsl: 'text/xml',
  json: 'application/json',
  txt: 'text/plain',
  csv: 'text/csv',
  css: 'text/css',
  js: 'text/javascript',
  mjs: 'text/javascript',
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  ico: 'image/x-icon',
  woff: 'font/woff',
  woff2: 'font/woff2',
  pdf: 'application/pdf',
};

/** The content type for the extension of a file name, without charset; undefined if unknown. */
export function contentTypeOf(file: string): string | undefined {
  const extension = /\.([A-Za-z0-9]{1,8})$/.exec(file)?.[1]?.toLowerCase();
  return extension !== undefined && Object.hasOwn(byExtension, extension) ? byExtension[extension] : undefined;
}

/** The escape option that values get in a page of a content type when neither page nor configuration says one. */
export function productEscapesOf(contentType: string): string {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (type === 'text/html') return 'HTML-ESCAPES';
  if (type === 'text/xml' || type === 'application/xml' || type.endsWith('+xml')) return 'XML-ESCAPES';
  if (type === 'application/json' || type.endsWith('+json')) return 'JSON-ESCAPES';
  return 'NO-ESCAPES';
}
