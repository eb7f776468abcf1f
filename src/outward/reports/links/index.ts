/** The public interface of the part links: addresses of reports' files that work for a while. */
export { isLinkValid, reportPath, signLink } from './sign-link.ts';
