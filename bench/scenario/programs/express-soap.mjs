// Contender (c): a typical program of today, with Express and the soap package as shown in their READMEs.
// Arguments: port, URL of the WSDL.
import express from 'express';
import soap from 'soap';

const [port, wsdl] = process.argv.slice(2);
const MAXTIME_MILLISECONDS = 10_000;
const client = await soap.createClientAsync(wsdl, { forceSoap12Headers: true });
const app = express();

app.get('/WS1.HTML\\+WS3', async (request, response) => {
  const { FROMCURRENCY, TOCURRENCY } = request.query;
  response.set('Expires', '0');
  try {
    const parameters = { FromCurrency: FROMCURRENCY, ToCurrency: TOCURRENCY };
    const [{ ConversionRateResult }] = await client.ConversionRateAsync(parameters, { timeout: MAXTIME_MILLISECONDS });
    response.send(`0${String(ConversionRateResult).padStart(6, '0').slice(0, 6)}`);
  } catch (error) {
    const fault = error.root?.Envelope?.Body?.Fault;
    const areas = [fault?.Code?.Value, textOf(fault?.Reason?.Text), fault?.Role];
    response.send(`1${areas.map((area) => (area ?? '').padEnd(32).slice(0, 32)).join('')}`);
  }
});

app.listen(Number(port), '127.0.0.1');

/** An element with attributes is an object that contains the text. */
function textOf(element) {
  return typeof element === 'object' ? element?.$value : element;
}
