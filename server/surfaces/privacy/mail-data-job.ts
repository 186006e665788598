/** The kind of job that mails a person what is stored about them. */
export const MAIL_DATA_JOB = 'mail_data'

/** The key of the job that writes the mail that answers a request. */
export const mailDataKey = (requestId: string): string => `data:${requestId}`
