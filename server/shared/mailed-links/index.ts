export { issueLink } from './issue-link'
export { consumeLink, endLinks, findLinkByHash, findOpenLink, type MailedLink, sweepMailedLinks } from './store'
