import { ServiceError } from '../../lib/errors.js';
import type { SessionPrinter } from '../../printing/session-printer.js';
import type { SpooledDocument } from '../../printing/spool-store.js';
import { prefersJson } from '../http/accepted-ranges.js';
import type { Answer } from '../http/answer.js';
import { answerPolicy, pagePolicy } from '../http/content-security-policy.js';
import { parameterNamed } from '../http/request-parameters.js';
import { senderAddress } from '../http/request-sender.js';
import { dynamicHeaders, fileDisposition } from '../http/response-headers.js';
import { documentPrinterOf, openDocument } from './session-printing.js';
import { asPrivate, privateJson, renderedScreen, type SessionVisit } from './session-rendering.js';

/**
 * Answers `/<prefix>/<page>++PrintSvcSession=<code>` (reference 1.2): the list of documents if the client prefers JSON,
 * otherwise one document. It is a PDF if the page ends in .pdf, text if it ends in .txt, else a page with the tag
 * PRINT, which becomes a PDF if the page declares its layout.
 * @throws ServiceError SVC_ERR_PRINT_UNKNOWN, SVC_ERR_TEMPLATE_UNKNOWN, SVC_ERR_TEMPLATE_RENDERING,
 * SVC_ERR_AUDIT_UNAVAILABLE, SVC_ERR_SERVICE_BUSY
 */
export async function printAnswer(visit: SessionVisit): Promise<Answer> {
  const { site, session, request, requested } = visit;
  if (prefersJson(request.incoming.headers.accept)) return listAnswer(await documentPrinterOf(site, session));
  const extension = /\.(PDF|TXT)$/i.exec(requested.page)?.[1]?.toUpperCase();
  if (extension === undefined && visit.template === undefined) {
    // checked first, so that unauthorized users learn nothing about pages
    await documentPrinterOf(site, session);
    throw new ServiceError('SVC_ERR_TEMPLATE_UNKNOWN');
  }
  const from = senderAddress(request.incoming);
  const wanted = parameterNamed(request.parameters, 'document');
  const { printer, document } = await openDocument({ site, session, from }, wanted);
  const { output } = printer;
  if (extension === 'PDF') return fileAnswer(printer, document, 'pdf', await output.pdf(document, from));
  const text = await output.text(document);
  if (extension === 'TXT') return fileAnswer(printer, document, 'txt', text);
  const { answer, page } = await renderedScreen(visit, text.toString());
  const { pdfPages } = page;
  if (pdfPages === undefined) return answer;
  return fileAnswer(printer, document, 'pdf', await output.pdfOfText(document.facts, pdfPages, from));
}

function listAnswer(printer: SessionPrinter): Answer {
  const documents = printer.list().map((document) => {
    const { number, printed, pages, isComplete } = document;
    const name = printer.output.nameOf(document);
    return {
      number,
      name,
      printed: new Date(printed).toISOString(),
      pages,
      isComplete,
      isNew: printer.waits(document),
    };
  });
  const { name, logicalUnit, spool } = printer;
  return privateJson(200, { printer: name, logicalUnit, spool, documents });
}

function fileAnswer(
  { output }: SessionPrinter,
  document: SpooledDocument,
  extension: 'pdf' | 'txt',
  body: Buffer,
): Answer {
  const type = extension === 'pdf' ? 'application/pdf' : 'text/plain; charset=utf-8';
  const headers = dynamicHeaders(type, body.length, '0');
  headers.push('Content-Disposition', fileDisposition('inline', `${output.nameOf(document.facts)}.${extension}`));
  // browsers do not show a PDF in a sandbox
  return asPrivate({ status: 200, headers, body }, extension === 'pdf' ? pagePolicy : answerPolicy);
}
