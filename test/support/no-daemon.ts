// A running s3270 daemon of the user would answer instead of the tested program.
process.env.SALLYPORT_S3270_SOCKET ??= '/proc/none/s3270.sock';

export {};
