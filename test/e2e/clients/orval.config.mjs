// Orval as it comes, with fetch; the URL of the service is that of the document.
export default {
  api: {
    input: process.env.DOCUMENT,
    output: {
      target: process.env.OUTPUT,
      client: "fetch",
      baseUrl: { getBaseUrlFromSpecification: true },
    },
  },
};
