/** The kind of job that mails a person their stored data. */
export const MAIL_DATA_JOB = 'mail_data'

/** Returns the key of the job that writes the mail for a request. */
export const mailDataKey = (requestId: string): string => `data:${requestId}`
