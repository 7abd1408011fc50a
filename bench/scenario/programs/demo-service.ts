// The web service that every contender calls: the demo currency service in its own process. Argument: port.
import { DemoCurrencyService } from '../../../src/demo/currency-service/demo-currency-service.js';
import { silentLog } from '../../../src/lib/log/log.js';

await new DemoCurrencyService({ host: '127.0.0.1', port: Number(process.argv[2]), log: silentLog }).start();
