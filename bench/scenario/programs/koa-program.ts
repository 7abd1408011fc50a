// Contender (k): (b) with koa and @koa/router as shown in their READMEs, without a log. Its difference to (b) is the
// cost of the two. Arguments: port, origin of the demo service.
import Router from '@koa/router';
import Koa from 'koa';
import { answerHeaders, currencyRecord, nextRequestId, openService } from './currency-record.js';

const [port, origin] = process.argv.slice(2);
const service = openService(origin ?? '');
const router = new Router();

router.get(/^\/WS1\.HTML\+WS3$/, async (context) => {
  const record = await currencyRecord(service, context.URL.searchParams);
  const headers = answerHeaders(record, nextRequestId());
  context.body = record;
  for (let index = 0; index < headers.length; index += 2) context.set(headers[index] ?? '', headers[index + 1] ?? '');
});

new Koa().use(router.routes()).listen(Number(port), '127.0.0.1');
