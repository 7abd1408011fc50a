import type { Command } from 'commander';
import type { Finish } from '../lib/exit-codes.js';

interface ListedCommand {
  readonly name: string;
  readonly usage: string;
  readonly description: string;
  /** Imports the command; only the executed command is loaded. */
  load(): Promise<(finish: Finish) => Command>;
}

/** In the order of the help. The first is the default command. */
export const commands: readonly ListedCommand[] = [
  {
    name: 'serve',
    usage: '[options]',
    description: 'serve a configuration (the default command)',
    load: async () => (await import('./serve/serve.js')).serveCommand,
  },
  {
    name: 'reload',
    usage: '[options]',
    description: 'tell a running server to reload its configuration',
    load: async () => (await import('./serve/reload.js')).reloadCommand,
  },
  {
    name: 'check-config',
    usage: '[file]',
    description: 'check a configuration, including its templates and scenarios',
    load: async () => (await import('./check/check-config.js')).checkConfigCommand,
  },
  {
    name: 'assemble',
    usage: '<files...>',
    description: 'check scenario sources (.scn) like the server does when it loads them',
    load: async () => (await import('./check/assemble.js')).assembleCommand,
  },
  {
    name: 'check-template',
    usage: '<files...>',
    description: 'check templates and list their tags',
    load: async () => (await import('./check/check-template.js')).checkTemplateCommand,
  },
  {
    name: 'check-services',
    usage: '[options] <folder>',
    description: 'check screen definitions and services, optionally against pictures of screens',
    load: async () => (await import('./services/check-services.js')).checkServicesCommand,
  },
  {
    name: 'service',
    usage: '',
    description: 'list and call services of a server, or try out a service file on a host',
    load: async () => (await import('./services/service.js')).serviceCommand,
  },
  {
    name: 'request',
    usage: '[options] <url> [parameters...]',
    description: 'send one scenario request and print its answer (the reference scenario client)',
    load: async () => (await import('./request/request.js')).requestCommand,
  },
  {
    name: 'drive',
    usage: '<host> <port> [settings]',
    description:
      'control a host session from a program: one JSON command per line on stdin, one JSON answer per line on stdout',
    load: async () => (await import('./drive/drive.js')).driveCommand,
  },
  {
    name: 's3270',
    usage: '[options of s3270] [host]',
    description: 'run scripts written for s3270: one action per line on stdin',
    load: async () => (await import('../s3270/program/s3270-command.js')).s3270Command,
  },
  {
    name: 'transfer',
    usage: '',
    description: 'send a file to a host, or receive one, with IND$FILE',
    load: async () => (await import('./transfer/transfer-command.js')).transferCommand,
  },
  {
    name: 'printer',
    usage: '',
    description: 'connect to a host as a printer, and print its documents',
    load: async () => (await import('./printer/printer-command.js')).printerCommand,
  },
  {
    name: 'simulated-host',
    usage: '[options]',
    description: 'run only the simulated TN3270E host, for any 3270 terminal',
    load: async () => (await import('./serve/simulated-host.js')).simulatedHostCommand,
  },
  {
    name: 'user',
    usage: '',
    description: 'add, change, unlock, remove or list users',
    load: async () => (await import('./users/user.js')).userCommand,
  },
  {
    name: 'group',
    usage: '',
    description: 'add, remove or list groups',
    load: async () => (await import('./users/group.js')).groupCommand,
  },
  {
    name: 'token',
    usage: '',
    description: 'add, list or revoke tokens for programs',
    load: async () => (await import('./users/token.js')).tokenCommand,
  },
  {
    name: 'audit',
    usage: '',
    description: 'verify or list the audit trail: who changed what, and when',
    load: async () => (await import('./users/audit.js')).auditCommand,
  },
  {
    name: 'store',
    usage: '',
    description: 'create or migrate the tables of a shared database, copy data into it, or back',
    load: async () => (await import('./store/store.js')).storeCommand,
  },
  {
    name: 'macros',
    usage: '',
    description: 'upload macros of groups and users to a portal line, or write a batch file that uploads them',
    load: async () => (await import('./macros/macros.js')).macrosCommand,
  },
  {
    name: 'admin',
    usage: '',
    description:
      'manage lines, pools and sessions of a running server: list, start, stop, drain, end, send messages, trace',
    load: async () => (await import('./admin/admin.js')).adminCommand,
  },
  {
    name: 'doctor',
    usage: '[options]',
    description: 'check this machine and a configuration: ports, disk, clock, certificates, hosts',
    load: async () => (await import('./doctor/doctor.js')).doctorCommand,
  },
  {
    name: 'backup',
    usage: '[options] <file>',
    description: 'back up the data on disk, even while the server is running',
    load: async () => (await import('./backup/backup.js')).backupCommand,
  },
  {
    name: 'restore',
    usage: '[options] <file>',
    description: 'restore the data on disk from a backup',
    load: async () => (await import('./backup/restore.js')).restoreCommand,
  },
];
