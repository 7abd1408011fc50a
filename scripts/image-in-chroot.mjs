// npm run image:chroot: executes the Dockerfile without a container engine and tests the resulting image. Requires
// Linux, root, util-linux and iproute2. The machine's own /usr (with its Node) replaces the base image. The files
// tracked by git are the build context. --keep keeps the folder.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { projectFolder } from './build.mjs';
import { ChrootContainer } from './image/chroot-container.mjs';
import { ChrootStage } from './image/chroot-stage.mjs';
import { imageSettings, stagesOf } from './image/dockerfile.mjs';

const PORTAL = 41001;
const CLIENTS = 41002;
const PASSWORD = 'a long pass phrase';

if (process.platform !== 'linux' || process.getuid() !== 0) {
  process.stderr.write('This needs Linux, and root: it makes namespaces and mounts.\n');
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), 'sallyport-image-'));
try {
  const { image, settings } = build();
  await tryOut(image, settings);
  say('The image is as it should be.');
} finally {
  if (process.argv.includes('--keep')) say(`kept: ${folder}`);
  else rmSync(folder, { recursive: true, force: true });
}

function build() {
  const context = join(folder, 'context');
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: projectFolder, encoding: 'utf8', maxBuffer: 1 << 26 });
  for (const file of files.split('\0').filter((name) => name !== '')) {
    mkdirSync(dirname(join(context, file)), { recursive: true });
    cpSync(join(projectFolder, file), join(context, file), { preserveTimestamps: true });
  }
  const others = new Map();
  let image;
  let settings;
  stagesOf(readFileSync(join(context, 'Dockerfile'), 'utf8')).forEach(({ name, steps }, index) => {
    image = new ChrootStage(join(folder, `stage-${index}`));
    for (const step of steps) {
      say(`${step.keyword} ${step.rest}`);
      image.carryOut(step, context, others);
    }
    if (name !== undefined) others.set(name, image);
    settings = imageSettings(steps);
  });
  return { image, settings };
}

async function tryOut(image, settings) {
  const [uid] = settings.user.split(':').map(Number);
  assert.notEqual(uid, 0, 'the image runs as root');
  // a new volume gets the owner and mode of the folder that it is mounted over
  const volume = join(folder, 'volume');
  cpSync(join(image.root, settings.volumes[0]), volume, { recursive: true });
  chmodSync(volume, 0o700);
  chownSync(volume, uid, uid);
  const configuration = join(folder, 'configuration');
  cpSync(join(image.root, 'etc/sallyport'), configuration, { recursive: true });
  const start = () => new ChrootContainer(image, settings, { [settings.volumes[0]]: volume });
  const healthy = (container) => container.exec(settings.health);
  const listening = (container) => container.until('it is healthy', () => healthy(container).status === 0);

  let container = start();
  try {
    await listening(container);
    said('starts with an empty volume, and is healthy');
    const status = readFileSync(`/proc/${container.pid}/status`, 'utf8');
    assert.match(status, new RegExp(`^Uid:\\t${uid}\\t${uid}\\t${uid}\\t${uid}$`, 'm'));
    assert.match(status, /^CapEff:\t0+$/m);
    assert.match(status, /^CapBnd:\t0+$/m);
    assert.match(status, /^NoNewPrivs:\t1$/m);
    assert.match(status, /^NSpid:\t\d+\t1$/m);
    said(`runs as user ${uid}, process 1, without capabilities`);
    for (const place of ['/opt/sallyport/x', '/etc/sallyport/x', '/tmp/x'])
      assert.match(container.exec(['touch', place]).output, /Read-only file system/, place);
    assert.equal(container.exec(['touch', join(settings.volumes[0], 'x')]).status, 0);
    said('cannot write its root, and can write its volume');
    assert.match(container.ask('/WS1.HTML+WS3?FROMCURRENCY=EUR&TOCURRENCY=USD', CLIENTS), /^200 00\.7236/);
    said('answers beyond loopback');

    await container.until('it says that nobody can sign on', () =>
      /^No user can sign on at the portal yet: sallyport user add admin/m.test(container.output),
    );
    const added = container.exec(
      ['sallyport', 'user', 'add', 'admin', '--role', 'administrator', '--password-stdin'],
      `${PASSWORD}\n`,
    );
    assert.equal(added.status, 0, added.output);
    const asAdministrator = `http://127.0.0.1:${PORTAL}/SECURE/capabilityCode.json+USRCAP?USER=admin`;
    const authorization = `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`;
    const signOn = `const r=await fetch('${asAdministrator}',{headers:{Authorization:'${authorization}'}});process.exitCode=r.status===200?0:1`;
    const signedOn = () => container.exec(['node', '--input-type=module', '-e', signOn]).status;
    assert.equal(signedOn(), 0);
    said('takes its first administrator from the command, without a restart');

    container.signal('SIGHUP');
    await container.until('it reads its configuration again', () =>
      /the configuration was read again/.test(container.output),
    );
    assert.equal(healthy(container).status, 0);
    said('reads its configuration again at SIGHUP');
    const seen = container.output.length;
    assert.equal(container.exec(['sallyport', 'reload']).status, 0);
    await container.until('again', () => /the configuration was read again/.test(container.output.slice(seen)));
    said('and by sallyport reload');

    container.signal('SIGTERM');
    assert.equal(await container.stopped(), 0, container.output);
    assert.match(container.output, /"stopped"/);
    said('stops at SIGTERM, with 0');

    container = start();
    await listening(container);
    assert.doesNotMatch(container.output, /Nobody can sign on/);
    said('has its users in the volume when it is started again');
    container.signal('SIGKILL');
    await container.stopped();

    await withOwnConfiguration(image, settings, { volume, configuration });
  } finally {
    container.kill();
  }
}

async function withOwnConfiguration(image, settings, { volume, configuration }) {
  const file = join(configuration, 'sallyport.yaml');
  const shipped = readFileSync(file, 'utf8');
  const binds = { [settings.volumes[0]]: volume, 'etc/sallyport': configuration };
  const container = new ChrootContainer(image, settings, binds);
  try {
    await container.until('it is healthy', () => container.exec(settings.health).status === 0);
    said('starts after it was killed');
    writeFileSync(file, shipped.replace('lines:\n', "lines:\n  D-HTTP: { listen: '0:41004', entryPoint: CLIWHOST }\n"));
    container.signal('SIGHUP');
    await container.until('it opens the new line', () => /"lines\.D-HTTP"/.test(container.output));
    assert.match(container.ask('/', 41004), /^200 /);
    said('takes a line over that is new in the configuration of the machine');
    writeFileSync(file, 'nonsense: 1\n');
    container.signal('SIGHUP');
    await container.until('it refuses the file', () => /the configuration is invalid/.test(container.output));
    assert.match(container.ask('/', CLIENTS), /^200 /);
    said('goes on where the configuration is invalid');
    container.signal('SIGTERM');
    assert.equal(await container.stopped(), 0, container.output);
  } finally {
    container.kill();
  }
}

function say(words) {
  process.stdout.write(`${words}\n`);
}

function said(words) {
  say(`ok: ${words}`);
}
