/** The release of the service. Written by `npm run contract` from package.json. */
export const version = "0.1.0";
