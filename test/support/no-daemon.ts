// A daemon of s3270 that its user has started would answer in place of the program that is tested.
process.env.SALLYPORT_S3270_SOCKET ??= '/proc/none/s3270.sock';

export {};
