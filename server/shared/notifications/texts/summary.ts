/** The texts of the daily summary. */
export const summaryTexts = {
  subject: (date: string) => `Your day: ${date}`,
  since: (since: string, until: string) => `What happened from ${since} to ${until}:`,
  paid: (payments: number, money: string) => `Paid: ${payments === 1 ? '1 payment' : `${payments} payments`}, ${money}`,
  asked: (requests: number, money: string) =>
    `Asked: ${requests === 1 ? '1 request' : `${requests} requests`}, ${money}`,
  declined: (requests: number, money: string) =>
    `Declined: ${requests === 1 ? '1 request' : `${requests} requests`}, ${money}`,
  payments: (link: string) => `Payments: ${link}`,
  approvals: (link: string) => `Approvals: ${link}`,
  change: (link: string) => `Change or turn off this summary: ${link}`,
}
